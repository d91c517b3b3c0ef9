import type { AdminAnswer, AdminSession } from '@courtledger/contracts/admin/admin.answers';
import { changeAdmin, checkAdminToken, checkSuperAdminToken, createAdmin, listAdmins } from '@courtledger/contracts/admin/admin.api';
import { adminEmailStream, adminStream, type AdminEvent } from '@courtledger/contracts/admin/admin.events';
import * as queries from '@courtledger/projections/admin/admin.queries';
import { createHmac } from 'node:crypto';
import type { AdminId } from '@courtledger/contracts/kernel/ids';
import { toFact } from '../event-log/upcast.ts';
import type { Bound, CommandContext, CommandReply } from '../platform/call.ts';
import { createdId } from '../platform/command-context.ts';
import type { Outcome } from '../platform/command-handler.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { expectUncommon } from '../platform/passwords.ts';
import { fold } from '../platform/stream-state.ts';
import { adminEmailDecider } from './admin-email.decider.ts';
import { adminDecider, type AdminAccount, type AdminCommand } from './admin.decider.ts';

export type AdminRoutesDeps = Pick<FeatureDeps, 'log' | 'commands' | 'reader' | 'newId' | 'passwords' | 'emailKey'>;

/** The stream of an address: a keyed hash, since a plain one can be guessed. @param email in lower case */
export const emailStream = (emailKey: Buffer, email: string): string => adminEmailStream(createHmac('sha256', emailKey).update(email).digest('hex'));

/** Stores the same password under today's parameters, unless another one was set meanwhile. */
export const rehashPassword = async (
  { commands }: Pick<FeatureDeps, 'commands'>,
  adminId: AdminId,
  oldHash: string,
  passwordHash: string,
  context: CommandContext,
): Promise<void> => {
  await commands.handle(adminDecider, adminStream(adminId), { type: 'rehashPassword', oldHash, passwordHash }, context, { awaitProjection: false });
};

/** Admin accounts (api-contract, calls under /superadmin and /admin; sessions: platform/session-routes.ts). The e-mail claim first, then the account. */
export const adminRoutes = (deps: AdminRoutesDeps): readonly Bound[] => {
  const { log, commands, reader, newId, passwords, emailKey } = deps;

  const handle = async (adminId: AdminId, command: AdminCommand, context: CommandContext) =>
    commands.handle(adminDecider, adminStream(adminId), command, context);
  const rehearse = async (adminId: AdminId, command: AdminCommand, context: CommandContext) =>
    commands.rehearse(adminDecider, adminStream(adminId), command, context);
  const claims = (type: 'claimEmail' | 'releaseEmail', email: string, adminId: AdminId) =>
    [adminEmailDecider, emailStream(emailKey, email), { type, adminId }] as const;

  /** The account as the command left it. */
  const reply = async (adminId: AdminId, { revision, position, pending }: Outcome<unknown>): Promise<CommandReply> => {
    const events = await log.readStream(adminStream(adminId), 0, revision + 1);
    const { account } = fold(
      adminDecider,
      (events ?? []).map((event) => toFact(event) as AdminEvent),
    );
    if (account === undefined) throw new Error(`The admin ${adminId} is not in the log`);
    const { username, email, phoneNumber } = account;
    const body: AdminAnswer = { _id: adminId, username, email, phoneNumber };
    return { body, position, pending };
  };

  return [
    bindRead(listAdmins, () => ({ json: queries.listAdmins(reader()) })),
    bindRead(checkSuperAdminToken, () => ({ json: queries.listAdmins(reader()) })),
    bindRead(checkAdminToken, async ({ caller }) => {
      const account = caller.role === 'admin' ? await commands.read(adminDecider, adminStream(caller.id), ({ account: found }) => found) : undefined;
      if (account === undefined) return { missing: 'There is no such admin' };
      const session: AdminSession = { _id: account.adminId, username: account.username, email: account.email };
      return { json: JSON.stringify(session) };
    }),

    bindCommand(createAdmin, async ({ body: { username, email, phoneNumber, password }, context }) =>
      commands.once(context, async () => {
        const adminId = createdId(context, 'admin', newId);
        const account = (passwordHash: string): AdminAccount => ({ adminId, username, email, phoneNumber, passwordHash });
        const repeated = await rehearse(adminId, { type: 'createAdmin', account: account('') }, context);
        if (repeated !== undefined) return reply(adminId, repeated);
        expectUncommon(password);
        await commands.rehearse(...claims('claimEmail', email, adminId), context);
        const passwordHash = await passwords.hash(password);
        await commands.handle(...claims('claimEmail', email, adminId), context, { awaitProjection: false });
        return reply(adminId, await handle(adminId, { type: 'createAdmin', account: account(passwordHash) }, context));
      }),
    ),

    bindCommand(changeAdmin, async ({ params: { id: adminId }, body: { username, email, phoneNumber, password }, context }) =>
      commands.once(context, async () =>
        // The address that is given up is the one that stood before: one change of an account after another.
        commands.inTurn(adminStream(adminId), async () => {
          const change = (passwordHash: string | undefined): AdminCommand => ({ type: 'changeAdmin', username, email, phoneNumber, passwordHash });
          const repeated = await rehearse(adminId, change(undefined), context);
          if (repeated !== undefined) return reply(adminId, repeated);
          if (password !== undefined) expectUncommon(password);
          const before = await commands.read(adminDecider, adminStream(adminId), ({ account }) => account?.email);
          const isMoving = email !== undefined && before !== undefined && email !== before;
          if (isMoving) await commands.rehearse(...claims('claimEmail', email, adminId), context);
          const passwordHash = password === undefined ? undefined : await passwords.hash(password);
          if (isMoving) await commands.handle(...claims('claimEmail', email, adminId), context, { awaitProjection: false });
          const outcome = await handle(adminId, change(passwordHash), context);
          if (isMoving) await commands.handle(...claims('releaseEmail', before, adminId), context, { awaitProjection: false });
          return reply(adminId, outcome);
        }),
      ),
    ),
  ];
};
