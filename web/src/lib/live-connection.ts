import type { LiveChange } from '@courtledger/contracts/kernel/live.api';
import { apiBase, firstReadPosition, whenFirstRead } from './api-client.ts';
import { createSseReader, parseChange } from './live.rules.ts';

/** What other tabs are told; a `reset` says that the log goes back less far than the last position seen. */
export type LiveMessage = { readonly kind: 'change'; readonly change: LiveChange } | { readonly kind: 'reset' };

const channelName = 'courtledger-live';
/** The server sends a comment at least every 15 s or so; three missed ones are a dead line. */
const silenceMs = 45_000;
const longestPauseMs = 5000;

/** Waits, or returns early when the browser says that it is online again or `signal` ends it. */
const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await new Promise<void>((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
};

/**
 * Follows the log over server-sent events. One connection a browser: the tab that holds a lock reads the stream and tells the others;
 * when it closes, the next one resumes from the last position that it heard of. After a dropped line it resumes from there as well
 * (`Last-Event-ID`), so nothing is missed; a position that is too old comes back as `reset`.
 */
export const followLive = (onMessage: (message: LiveMessage) => void): (() => void) => {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(channelName) : undefined;
  let last: string | undefined;

  const take = (message: LiveMessage): void => {
    if (message.kind === 'change') last = message.change.position;
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
    let silence = setTimeout(end, silenceMs);
    try {
      const from = last ?? firstReadPosition();
      const response = await fetch(`${apiBase}/live`, { headers: { Accept: 'text/event-stream', ...(from !== undefined && { 'Last-Event-ID': from }) }, cache: 'no-store', credentials: 'include', signal: line.signal });
      if (!response.ok || !response.body) return false;
      const read = createSseReader((message) => {
        if (message.event === 'reset') share({ kind: 'reset' });
        const change = message.event === 'change' ? parseChange(message.data) : undefined;
        if (change) share({ kind: 'change', change });
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return true;
        clearTimeout(silence);
        silence = setTimeout(end, silenceMs);
        read(value);
      }
    } catch {
      return false;
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', end);
      line.abort();
    }
  };

  const lead = async (): Promise<void> => {
    let pauseMs = 250;
    while (!signal.aborted) {
      const answered = await readOnce();
      pauseMs = answered ? 250 : Math.min(pauseMs * 2, longestPauseMs);
      await pause(pauseMs * (0.5 + Math.random() / 2), signal);
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
