import { parsePosition } from '@courtledger/contracts/kernel/event';
import type { LiveChange } from '@courtledger/contracts/kernel/live.api';
import { apiBase, firstReadPosition, whenFirstRead } from './api-client.ts';
import { pauseBefore } from './live-connection.rules.ts';
import { createSseReader, parseChange } from './live.rules.ts';

/** What other tabs are told; a change `isPast` when it was recorded before the line was there, told to bring the page level; a `reset` says that everything up to its position is to be read anew: too much has been recorded since, or the log is another one and may be shorter (a backup was restored); `back` that the server answers again after the line was cut, or could not be made. */
export type LiveMessage = { readonly kind: 'change'; readonly change: LiveChange; readonly isPast: boolean } | { readonly kind: 'reset'; readonly position: string } | { readonly kind: 'back' };

const channelName = 'courtledger-live';
/** The server sends a comment at least every 15 s or so; three missed ones are a dead line. */
const silenceMs = 45_000;
/** A connection that is not made by then was asked for while the line was away: another attempt comes through sooner. */
const connectMs = 10_000;

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

/**
 * Follows the log over server-sent events. One connection a browser: the tab that holds a lock reads the stream and tells the others;
 * when it closes, the next one resumes from the last position that it heard of. After a dropped line it resumes from there as well
 * (`Last-Event-ID`), so nothing is missed: soon, and at once when the browser is online again or the page is looked at; a position that is too old comes back as `reset`.
 */
export const followLive = (onMessage: (message: LiveMessage) => void): (() => void) => {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(channelName) : undefined;
  let last: string | undefined;
  let failures = 0;
  /** Ends what stands between now and the next attempt: a pause, or an attempt that has brought no answer yet. */
  let hurry: (() => void) | undefined;
  const forgetWake = onWake(() => {
    failures = 0;
    hurry?.();
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
  const share = (message: LiveMessage): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches this origin only and takes no target
    channel?.postMessage(message);
    take(message);
  };
  channel?.addEventListener('message', (event: MessageEvent<LiveMessage>) => {
    take(event.data);
  });

  /** Reads one connection to its end; says whether anything came. */
  const readOnce = async (): Promise<boolean> => {
    const line = new AbortController();
    const end = (): void => {
      line.abort();
    };
    signal.addEventListener('abort', end);
    let silence = setTimeout(end, connectMs);
    hurry = end;
    let heard = false;
    try {
      const from = last ?? firstReadPosition();
      const response = await fetch(`${apiBase}/live`, { headers: { Accept: 'text/event-stream', ...(from !== undefined && { 'Last-Event-ID': from }) }, cache: 'no-store', credentials: 'include', signal: line.signal });
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
        clearTimeout(silence);
        silence = setTimeout(end, silenceMs);
        read(value);
      }
    } catch {
      return heard;
    } finally {
      hurry = undefined;
      clearTimeout(silence);
      signal.removeEventListener('abort', end);
      line.abort();
    }
  };

  /** Waits, or returns early when the next attempt is hurried or none is to follow. */
  const pause = async (ms: number): Promise<void> => {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    hurry = undefined;
  };

  const lead = async (): Promise<void> => {
    while (!signal.aborted) {
      // A line that was good until it was cut begins anew.
      failures = (await readOnce()) ? 1 : failures + 1;
      await pause(pauseBefore(failures, Math.random()));
    }
  };

  const begin = async (): Promise<void> => {
    await whenFirstRead();
    if (signal.aborted) return;
    // Locks exist only on secure origins; without them each tab has a connection of its own.
    if ('locks' in navigator && channel) await navigator.locks.request(channelName, { signal }, lead).catch(() => undefined);
    else await lead();
  };
  void begin();

  return () => {
    stop.abort();
    channel?.close();
  };
};
