import { logInAdmin, logInSuperAdmin, logOutAdmin, logOutSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { AdminId } from '@courtledger/contracts/kernel/ids';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { auditStream } from '@courtledger/contracts/player/person.events';
import type { AdminAccount } from '@courtledger/projections/admin/admin.queries';
import { auditDecider } from './audit.decider.ts';
import { clearLoginCookie, setLoginCookie } from './auth-cookies.ts';
import type { AuthReads } from './auth-reads.ts';
import type { Auth } from './auth.ts';
import type { Bound, Call, CommandContext, CommandReply } from './call.ts';
import type { CommandHandler } from './command-handler.ts';
import { bindCommand } from './endpoint.ts';
import { derivedId } from './event-ids.ts';
import type { Passwords } from './passwords.ts';
import { triedOnAccount } from './refusal-subject.ts';
import type { SuperAdmin } from './super-admin.ts';
import type { Throttle } from './throttle.ts';
import type { TokenRole, Tokens } from './tokens.ts';

export type SessionDeps = {
  readonly auth: Pick<Auth, 'revoke'>;
  readonly tokens: Pick<Tokens, 'issue'>;
  readonly reads: Pick<AuthReads, 'adminByEmail'>;
  readonly passwords: Passwords;
  readonly superAdmin: SuperAdmin;
  readonly throttle: Pick<Throttle, 'attemptLogin'>;
  readonly commands: Pick<CommandHandler, 'handle'>;
  /** Stores the same password under today's parameters, unless another one was set meanwhile (`rehashPassword` of the admin's decider). */
  readonly rehashPassword: (adminId: AdminId, oldHash: string, passwordHash: string, context: CommandContext) => Promise<void>;
};

/** Every failed login is this one, whatever was wrong (S12). */
const invalidCredentials = (): DomainError => new DomainError('unauthenticated', outcomeTexts.invalidCredentials);

/** The four calls that begin and end sessions (api-contract, 'Who is calling'). */
export const sessionRoutes = (deps: SessionDeps): readonly Bound[] => {
  const { auth, tokens, reads, passwords, superAdmin, throttle, commands, rehashPassword } = deps;

  /** One password check, throttled. Unknown accounts (no hash) cost the same work. */
  const check = async (role: TokenRole, account: string, password: string, address: string, passwordHash: string | undefined): Promise<void> => {
    const attempt = throttle.attemptLogin(`${role}:${account}`, address);
    let fits: boolean;
    try {
      fits = await passwords.verify(passwordHash, password);
    } catch (error) {
      attempt.withdrawn();
      throw error;
    }
    if (!fits) throw invalidCredentials();
    attempt.succeeded();
  };
  const rehash = async (account: AdminAccount, password: string, context: CommandContext): Promise<void> => {
    try {
      await rehashPassword(account.id, account.passwordHash, await passwords.hash(password), context);
    } catch (error) {
      // The next login tries again; this one need not fail because the log takes no writes or the queue is full.
      if (!(error instanceof DomainError)) throw error;
    }
  };
  const loggedIn = (role: TokenRole, subject: string, version: string): CommandReply => {
    const token = tokens.issue(role, subject, version);
    return { body: { token }, position: undefined, cookies: [setLoginCookie(role, token)] };
  };

  const logOut = async ({ caller, context }: Pick<Call, 'caller' | 'context'>): Promise<CommandReply> => {
    if (caller.role !== 'admin' && caller.role !== 'superadmin') throw new DomainError('unauthenticated', 'Please log in');
    const { role, jti, expires } = caller;
    // The super admin's id may be an address of a person: it stays out of facts.
    const subjectId = role === 'admin' ? caller.id : role;
    // Which session ends stands in no body: the same key of another session of this account is another command, or that session would outlive a restart.
    const ending = context.keyed ? { ...context, commandId: derivedId(context.commandId, jti) } : context;
    const { position, pending } = await commands.handle(
      auditDecider,
      auditStream(context.time),
      { type: 'recordAudit', fact: { type: 'SessionRevoked', data: { role, subjectId, jti, expires } } },
      ending,
    );
    auth.revoke(jti, expires);
    return { body: undefined, position, pending, cookies: [clearLoginCookie(role)] };
  };

  return [
    bindCommand(logInAdmin, async ({ body, address, context }) => {
      const email = body.email.trim().toLowerCase();
      const account = reads.adminByEmail(email);
      try {
        await check('admin', email, body.password, address, account?.passwordHash);
      } catch (error) {
        throw triedOnAccount(error, account?.id);
      }
      if (account === undefined) throw invalidCredentials();
      if (passwords.needsRehash(account.passwordHash)) await rehash(account, body.password, context);
      return loggedIn('admin', account.id, account.tokenVersion);
    }),
    bindCommand(logInSuperAdmin, async ({ body, address }) => {
      const known = body.id === superAdmin.id;
      await check('superadmin', body.id, body.password, address, known ? superAdmin.passwordHash : undefined);
      return loggedIn('superadmin', superAdmin.id, superAdmin.tokenVersion);
    }),
    bindCommand(logOutAdmin, logOut),
    bindCommand(logOutSuperAdmin, logOut),
  ];
};
