import { parsePosition } from '@courtledger/contracts/kernel/event';
import type { LiveChange } from '@courtledger/contracts/kernel/live.api';
import { apiBase, firstReadPosition, whenFirstRead } from './api-client.ts';
import { pauseBefore } from './live-connection.rules.ts';
import { createSseReader, parseChange } from './live.rules.ts';

/**
 * What other tabs are told; a change `isPast` when it was recorded before the line was there, told to bring the page level; a `reset` says that everything up
 * to its position is to be read anew: too much has been recorded since, or the log is another one and may be shorter (a backup was restored); `back` that the
 * server answers again after the line was cut, or could not be made.
 */
export type LiveMessage =
  | { readonly kind: 'change'; readonly change: LiveChange; readonly isPast: boolean }
  | { readonly kind: 'reset'; readonly position: string }
  | { readonly kind: 'back' };

/** The tab that reads the stream lives: told to those that wait for its place, and to nobody else. */
type Beat = { readonly kind: 'beat' };

const channelName = 'courtledger-live';
/** The server sends a comment at least every 15 s or so; three missed ones are a dead line. */
const silenceMs = 45_000;
/** A connection that is not made by then was asked for while the line was away: another attempt comes through sooner. */
const connectMs = 10_000;
/** A tab that leads and lives is heard of within one attempt and the pause after it, also where its line is dead; whatever is silent for longer is suspended. */
const leaderSilenceMs = connectMs + silenceMs + 10_000;

/** Calls back when it is worth trying again at once: the browser is online again, or somebody looks at the page. Returns how to stop. */
const onWake = (wake: () => void): (() => void) => {
  const look = (): void => {
    if (document.visibilityState === 'visible') wake();
  };
  window.addEventListener('online', wake);
  document.addEventListener('visibilitychange', look);
  return () => {
    window.removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', look);
  };
};

/** Undefined where there is none; where the browser keeps nothing (cookies are blocked), some do not even let it be made. */
const openChannel = (): BroadcastChannel | undefined => {
  try {
    return typeof BroadcastChannel === 'function' ? new BroadcastChannel(channelName) : undefined;
  } catch {
    return undefined;
  }
};

/** A signal that is aborted with another, or by itself. `forget` when it is not needed any more. */
const abortedWith = (signal: AbortSignal): { readonly own: AbortController; readonly forget: () => void } => {
  const own = new AbortController();
  const end = (): void => {
    own.abort();
  };
  signal.addEventListener('abort', end);
  return {
    own,
    forget: () => {
      signal.removeEventListener('abort', end);
    },
  };
};

/**
 * Follows the log over server-sent events. One connection a browser: the tab that holds a lock reads the stream and tells the others; when it closes, the next
 * one resumes from the last position that it heard of. After a dropped line it resumes from there as well (`Last-Event-ID`), so nothing is missed: soon, and at
 * once when the browser is online again or the page is looked at; a position that is too old comes back as `reset`. A phone suspends a tab that nobody sees,
 * with the lock: one that is looked at, and hears nothing of it, takes the lock from it.
 */
export const followLive = (onMessage: (message: LiveMessage) => void): (() => void) => {
  const stop = new AbortController();
  const { signal } = stop;
  let channel = openChannel();
  let last: string | undefined;
  let failures = 0;
  /** Ends what stands between now and the next attempt: a pause, or an attempt that has brought no answer yet. */
  let hurry: (() => void) | undefined;
  /** Starts the wait for a word of the tab that leads anew, while this one does not. */
  let expectWord: (() => void) | undefined;
  const forgetWake = onWake(() => {
    failures = 0;
    hurry?.();
    expectWord?.();
  });
  signal.addEventListener('abort', () => {
    forgetWake();
    hurry?.();
  });

  const take = (message: LiveMessage): void => {
    if (message.kind === 'change') last = message.change.position;
    if (message.kind === 'reset') last = message.position;
    onMessage(message);
  };
  const tellOthers = (message: LiveMessage | Beat): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches this origin only and takes no target
    channel?.postMessage(message);
  };
  const share = (message: LiveMessage): void => {
    tellOthers(message);
    take(message);
  };
  const beat = (): void => {
    tellOthers({ kind: 'beat' });
  };
  channel?.addEventListener('message', (event: MessageEvent<LiveMessage | Beat>) => {
    expectWord?.();
    if (event.data.kind !== 'beat') take(event.data);
  });

  /** Reads one connection to its end; says whether anything came. */
  const readOnce = async (over: AbortSignal): Promise<boolean> => {
    const { own: line, forget } = abortedWith(over);
    const end = (): void => {
      line.abort();
    };
    let silence = setTimeout(end, connectMs);
    hurry = end;
    let heard = false;
    try {
      const from = last ?? firstReadPosition();
      const response = await fetch(`${apiBase}/live`, {
        headers: { Accept: 'text/event-stream', ...(from !== undefined && { 'Last-Event-ID': from }) },
        cache: 'no-store',
        credentials: 'include',
        signal: line.signal,
      });
      hurry = undefined;
      clearTimeout(silence);
      silence = setTimeout(end, silenceMs);
      if (!response.ok || !response.body) return false;
      if (failures > 0) share({ kind: 'back' });
      const begun = parsePosition(response.headers.get('X-Read-Position') ?? '') ?? 0n;
      const read = createSseReader((message) => {
        if (message.event === 'reset') share({ kind: 'reset', position: message.id ?? '' });
        const change = message.event === 'change' ? parseChange(message.data) : undefined;
        if (change) share({ kind: 'change', change, isPast: (parsePosition(change.position) ?? 0n) <= begun });
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return heard;
        heard = true;
        beat();
        clearTimeout(silence);
        silence = setTimeout(end, silenceMs);
        read(value);
      }
    } catch {
      return heard;
    } finally {
      hurry = undefined;
      clearTimeout(silence);
      forget();
      line.abort();
    }
  };

  /** Waits, or returns early when the next attempt is hurried or none is to follow. */
  const pause = async (ms: number, over: AbortSignal): Promise<void> => {
    if (over.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    hurry = undefined;
  };

  const lead = async (over: AbortSignal): Promise<void> => {
    while (!over.aborted) {
      // Also one whose server stays away lives.
      beat();
      // A line that was good until it was cut begins anew.
      failures = (await readOnce(over)) ? 1 : failures + 1;
      await pause(pauseBefore(failures, Math.random()), over);
    }
  };

  /** Calls back when the tab that leads has said nothing for too long while this one is looked at. Returns how to stop. */
  const onSilence = (takeOver: () => void): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    expectWord = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (document.visibilityState === 'visible') takeOver();
      }, leaderSilenceMs);
    };
    expectWord();
    return () => {
      clearTimeout(timer);
      expectWord = undefined;
    };
  };

  /**
   * Waits for the lock, or takes it from whoever has it, and leads until the turn is over. Says how the next one comes; undefined where there is none: it is
   * over, or the browser gives no lock.
   */
  const takeTurn = async (how: 'wait' | 'take'): Promise<'wait' | 'take' | undefined> => {
    const { own: turn, forget } = abortedWith(signal);
    let [led, isSilent] = [false, false];
    const stopListening = onSilence(() => {
      isSilent = true;
      turn.abort();
    });
    const leadNow = async (): Promise<void> => {
      led = true;
      stopListening();
      // What the suspended tab did not hear of was told to no other either.
      if (how === 'take') share({ kind: 'reset', position: last ?? firstReadPosition() ?? '0' });
      await lead(turn.signal);
    };
    await navigator.locks.request(channelName, how === 'take' ? { steal: true } : { signal: turn.signal }, leadNow).catch(() => undefined);
    stopListening();
    forget();
    // Another tab may have taken the lock from this one, which goes on as if it had it.
    turn.abort();
    hurry?.();
    if (signal.aborted) return undefined;
    return isSilent ? 'take' : led ? 'wait' : undefined;
  };

  const begin = async (): Promise<void> => {
    await whenFirstRead();
    if (signal.aborted) return;
    // Locks exist only on secure origins, and are refused where the browser keeps nothing.
    let how = 'locks' in navigator && channel ? await takeTurn('wait') : undefined;
    while (how !== undefined) how = await takeTurn(how);
    // Without them each tab has a connection of its own, and hears all on it.
    channel?.close();
    channel = undefined;
    await lead(signal);
  };
  void begin();

  return () => {
    stop.abort();
    channel?.close();
  };
};
