import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { invalid } from '@courtledger/contracts/kernel/errors';
import { isCommonPassword } from './passwords-common.ts';
import { createSlots } from './throttle-slots.ts';

/** 19 MiB, 2 passes, 1 lane of argon2id (the library's default kind): OWASP's first choice, some 20 to 90 ms. */
const dearEnough = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
/** What a hash costs: memory in KiB, and passes over it. */
export type PasswordCost = { readonly memoryCost: number; readonly timeCost: number };

export type Passwords = {
  /** Hash of a new password (PHC text). @throws DomainError `throttled` when too many hashes wait */
  hash(password: string): Promise<string>;
  /**
   * True when the password fits. For an unknown account pass undefined: the same work is done, and the answer is false.
   * @throws DomainError `throttled` as above
   */
  verify(stored: string | undefined, password: string): Promise<boolean>;
  /** True when the hash was made with weaker parameters than today's: hash again at the next login. */
  needsRehash(stored: string): boolean;
  /** How many verifications have run: what a test counts to show that known and unknown accounts cost the same. */
  verifications(): number;
};

/**
 * Refuses a new password that everybody tries first. Its length is the contract's matter (8 to 128).
 * @throws DomainError `invalid` on `password`
 */
export const expectUncommon = (password: string): void => {
  if (isCommonPassword(password)) throw invalid('password', 'This password is too common, please choose another one');
};

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
/** A hash that no password has, under today's parameters: verifying it costs what a real one costs. */
const dummyHash = (parameters: typeof dearEnough): string =>
  `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${base64(randomBytes(16))}$${base64(randomBytes(parameters.outputLen))}`;

// The same characters typed on another keyboard may come decomposed.
const normal = (password: string): string => password.normalize('NFC');

/**
 * At most two hashes run at once (each takes 19 MiB and a core) and `waiting` queue for it; beyond that callers are told to come again.
 * @param options.cost another one than the product's, where hashes need not withstand anybody
 */
export const createPasswords = (options: { readonly waiting?: number; readonly cost?: PasswordCost } = {}): Passwords => {
  const parameters = { ...dearEnough, ...options.cost };
  const slots = createSlots({ atOnce: 2, waiting: options.waiting ?? 16, refusal: 'Too many people are logging in, please try again' });
  const dummy = dummyHash(parameters);
  let count = 0;
  return {
    hash: async (password) => slots.run(async () => hash(normal(password), parameters)),
    async verify(stored, password) {
      return slots.run(async () => {
        count += 1;
        const fits = await verify(stored ?? dummy, normal(password));
        return stored !== undefined && fits;
      });
    },
    needsRehash(stored) {
      const { memoryCost, timeCost, parallelism, outputLen } = parseOptions(stored);
      return (
        !stored.startsWith('$argon2id$') ||
        memoryCost < parameters.memoryCost ||
        timeCost < parameters.timeCost ||
        parallelism < parameters.parallelism ||
        outputLen < parameters.outputLen
      );
    },
    verifications: () => count,
  };
};
