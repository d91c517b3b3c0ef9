/**
 * What an audit can be narrowed to one of; to an account of an admin for the super admin alone. Stands by itself, since pages read it as well, which have no
 * use for schemas.
 */
export const auditSubjects = ['match', 'player', 'team', 'tournament', 'admin'] as const;
export type AuditSubjectKind = (typeof auditSubjects)[number];
