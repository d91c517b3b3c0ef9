import { changeAdmin, checkAdminToken, checkSuperAdminToken, createAdmin, listAdmins, logInAdmin, logInSuperAdmin, logOutAdmin, logOutSuperAdmin } from '../admin/admin.api.ts';
import { assignMatch, cancelMatch, getMatch, getMatchHistory, listMatchCorrections, listMatches, moveStatEntry, nameMatchMvp, previewMove, previewReversal, recordMatchStats, recordStatIncrement, rescheduleMatch, reverseStatEntry } from '../match/match.api.ts';
import { backUp, cancelRebuild, getBackup, getLogEvent, getLogVerification, getOperationsStatus, getRebuild, listLogEvents, replayParkedStreams, startRebuild, switchBackReadModel, verifyLog } from '../operations/operations.api.ts';
import { erasePerson, findPersons, getAdminAuditCsv, getAuditCsv, getTrace, listAdminAudit, listAudit } from '../operations/audit.api.ts';
import { correctPlayer, getPlayer, getPlayerDocument, listPlayers } from '../player/player.api.ts';
import { closeTournamentRequest, listTournamentRequests, requestTournament } from '../request/request.api.ts';
import { addPlayerToTeam, appointCoach, correctTeam, getTeam, getTeamNames, listTeams, registerTeam } from '../team/team.api.ts';
import {
  changeTournament,
  createTournament,
  enterTeam,
  getLeaders,
  getStandings,
  getStandingsCsv,
  getTournament,
  listAdminTournaments,
  listTournamentMatches,
  listTournaments,
  withdrawTeam,
} from '../tournament/tournament.api.ts';
import { getSeasonFile, getSeasonKey, getStandingsHistory } from '../tournament/season.api.ts';
import { getDocs, getOpenApi } from './docs.api.ts';
import { followChanges } from './live.api.ts';

/**
 * Every endpoint, by name, in the order in which paths are to be tried: what is fixed (`/tournaments/requests`) before what has
 * a parameter in its place (`/tournaments/:id`).
 */
export const allEndpoints = {
  listTournaments,
  listAdminTournaments,
  listTournamentRequests,
  requestTournament,
  closeTournamentRequest,
  createTournament,
  enterTeam,
  assignMatch,
  getTournament,
  changeTournament,
  withdrawTeam,
  getStandings,
  getStandingsCsv,
  getStandingsHistory,
  listTournamentMatches,
  getLeaders,
  getSeasonFile,
  getSeasonKey,
  recordMatchStats,
  listMatches,
  getMatch,
  rescheduleMatch,
  cancelMatch,
  recordStatIncrement,
  reverseStatEntry,
  previewReversal,
  moveStatEntry,
  previewMove,
  nameMatchMvp,
  getMatchHistory,
  listMatchCorrections,
  getPlayer,
  listPlayers,
  correctPlayer,
  getPlayerDocument,
  listTeams,
  getTeamNames,
  registerTeam,
  appointCoach,
  addPlayerToTeam,
  getTeam,
  correctTeam,
  logInSuperAdmin,
  logOutSuperAdmin,
  checkSuperAdminToken,
  listAdmins,
  createAdmin,
  changeAdmin,
  logInAdmin,
  logOutAdmin,
  checkAdminToken,
  getOperationsStatus,
  getRebuild,
  startRebuild,
  cancelRebuild,
  switchBackReadModel,
  replayParkedStreams,
  getLogVerification,
  verifyLog,
  getBackup,
  backUp,
  listLogEvents,
  getLogEvent,
  listAudit,
  getAuditCsv,
  getTrace,
  listAdminAudit,
  getAdminAuditCsv,
  findPersons,
  erasePerson,
  followChanges,
  getOpenApi,
  getDocs,
} as const;
export type EndpointName = keyof typeof allEndpoints;
