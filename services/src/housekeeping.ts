import { adminStream } from '@courtledger/contracts/admin/admin.events';
import { auditStream, personStream } from '@courtledger/contracts/player/person.events';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { personKindOf } from '@courtledger/projections/operations/retention.queries';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { adminEmailDecider } from './admin/admin-email.decider.ts';
import { adminDecider } from './admin/admin.decider.ts';
import { emailStream } from './admin/admin.routes.ts';
import { auditDecider } from './platform/audit.decider.ts';
import type { CommandContext } from './platform/call.ts';
import { systemContext } from './platform/command-context.ts';
import type { DocumentStore } from './platform/documents.ts';
import type { FeatureDeps } from './platform/feature-deps.ts';
import { createHalfFinished, type Finished, type Unfinished } from './platform/half-finished.ts';
import type { KeptFold } from './platform/kept-fold.ts';
import { detailsUnlessErased } from './platform/person-record.ts';
import { teamDecider } from './team/team.decider.ts';

export type HousekeepingDeps = Pick<FeatureDeps, 'log' | 'commands' | 'reader' | 'vault' | 'emailKey' | 'clock' | 'newId'> & {
  readonly documents: Pick<DocumentStore, 'remove'>;
  readonly failed: (error: unknown) => void;
  readonly isStopping?: () => boolean;
  /** Whether this is all of the log that belongs here, as far as is known; while it is not nobody is freed. */
  readonly isWhole: () => boolean;
  /** Where the fold of the log is kept over restarts. */
  readonly kept?: KeptFold<Unfinished>;
};

/**
 * What the server does by itself at its start and every hour: `run` finishes commands over two streams that a crash left half, closes registrations that were
 * abandoned for 24 h, and frees persons and e-mail claims that nothing refers to. Files that no fact refers to are the janitor's of the stores.
 */
export const createHousekeeping = (deps: HousekeepingDeps): { run(): Promise<Finished> } => {
  const { log, commands, reader, vault, emailKey, clock, newId, documents, failed } = deps;
  const context = (): CommandContext => systemContext(newId, clock);

  return createHalfFinished({
    readAll: async (after, limit) => log.readAll(after, limit),
    now: () => clock.now(),
    failed,
    isStopping: () => deps.isStopping?.() === true || !deps.isWhole(),
    breathe: async () => nextTurn(),
    ...(deps.kept && { kept: deps.kept }),

    async completeRegistration({ teamId, tournamentId, commandId, fingerprint, correlationId }) {
      // The same command id in both streams: a retry of the command finds both halves.
      const command = { ...context(), commandId, keyed: fingerprint !== undefined, fingerprint: fingerprint ?? '', correlationId };
      // Entries of the team take the same turn: one that is under way has seen the registration open.
      await commands.inTurn(teamStream(teamId), async () =>
        commands.handle(teamDecider, teamStream(teamId), { type: 'completeTeamRegistration', tournamentId }, command),
      );
    },

    expireRegistration: async (teamId, isStillAbandoned) =>
      // An entry that came first may have lost its second half: then the team is entered, and is no abandoned registration.
      commands.inTurn(
        teamStream(teamId),
        async () =>
          (await isStillAbandoned()) && (await commands.handle(teamDecider, teamStream(teamId), { type: 'expireRegistration' }, context())).events.length > 0,
      ),

    kindOf: (personId) => personKindOf(reader(), personId),
    freePerson: async ({ personId, kind, reason }, isStillAlone) =>
      commands.inTurn(personStream(personId), async () => {
        // The other half may have come a day late, as somebody's retry.
        if (!(await isStillAlone())) return false;
        if (vault.state(personId) === 'active') {
          const document = (await detailsUnlessErased(deps, personId))?.document;
          if (document !== undefined) await documents.remove(document.documentId);
        }
        // The fact last: until it stands the next run does all of it again.
        vault.destroy(personId);
        await log.deleteStream(personStream(personId));
        const command = context();
        await commands.handle(
          auditDecider,
          auditStream(command.time),
          { type: 'recordAudit', fact: { type: 'PersonErased', data: { personId, kind, reason } } },
          command,
        );
        return true;
      }),

    async isEmailInUse({ stream, adminId }) {
      const account = await commands.read(adminDecider, adminStream(adminId), (admin) => admin.account);
      return account !== undefined && emailStream(emailKey, account.email) === stream;
    },
    releaseEmail: async ({ stream, adminId }) => {
      // A change of the account in the same moment takes the same turn.
      await commands.inTurn(adminStream(adminId), async () => commands.handle(adminEmailDecider, stream, { type: 'releaseEmail', adminId }, context()));
    },
  });
};

/**
 * Runs the housekeeping, and what comes `after` it (the files' side), at once and then every hour, in the background; an hour in which the last run has not
 * ended is passed over. Gives what stops it: it resolves when nothing runs any more.
 */
export const startHousekeeping = (
  deps: Omit<HousekeepingDeps, 'isStopping'> & { readonly after?: () => Promise<unknown> },
  everyMilliseconds = 3600 * 1000,
): (() => Promise<void>) => {
  let isStopping = false;
  let isRunning = false;
  const housekeeping = createHousekeeping({ ...deps, isStopping: () => isStopping });
  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      await housekeeping.run();
      if (!isStopping) await deps.after?.();
    } catch (error) {
      deps.failed(error);
    }
    isRunning = false;
  };
  let last = run();
  const timer = setInterval(() => {
    if (!isRunning) last = run();
  }, everyMilliseconds).unref();
  return async () => {
    isStopping = true;
    clearInterval(timer);
    await last;
  };
};
