import type { Config } from '../platform/config.ts';
import type { Terminal, VerbContext } from '../operations/verb.ts';

/** What a verb is called with by a test: nobody interrupts it, its words go nowhere and no server may be asked, but for what is given. */
export const verbContext = (
  own: { readonly config: Config; readonly terminal?: Partial<Terminal> } & Partial<Omit<VerbContext, 'config' | 'terminal'>>,
): VerbContext => ({
  interrupted: new AbortController().signal,
  folder: '/',
  reach: async () => Promise.reject(new Error('no server is asked')),
  ...own,
  terminal: { out: () => {}, note: () => {}, progress: () => {}, ...own.terminal },
});
