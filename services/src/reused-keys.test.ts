import { correctPlayer, listPlayers } from '@courtledger/contracts/player/player.api';
import { correctTeam, listTeams } from '@courtledger/contracts/team/team.api';
import { createTournament, enterTeam, getTournament } from '@courtledger/contracts/tournament/tournament.api';
import { expect, it } from 'vitest';
import { loggedInAdmin, registeredTeam, tournamentForm, type Site } from './testing/site.ts';
import { siteFolder } from './testing/site-folder.ts';

/** A key that comes again with another body after a restart, when only the streams know it: what is refused leaves no half. */

const folder = siteFolder();
const headers = { 'idempotency-key': 'the-only-one' };
const reused = [409, { message: 'This Idempotency-Key was used with another body' }];
const open = async (): Promise<Site> => folder.open(folder.path('data'));

it('enters a team into no second tournament', async () => {
  const site = await open();
  const { token } = await loggedInAdmin(site);
  const { teamId } = await registeredTeam(site, 'Lumbini Lions');
  const [first, second] = await Promise.all(
    ['First Cup', 'Second Cup'].map(async (name) => (await site.call(createTournament, { token, form: await tournamentForm(name) }))._id),
  );
  const enter = async (at: Site, tournamentId = '') => at.send(enterTeam, { token, json: { tournamentId, teamId }, headers });
  expect((await enter(site, first)).status).toBe(200);
  await site.app.close(2000);
  const again = await open();
  const refused = await enter(again, second);
  expect([refused.status, refused.json()]).toMatchObject(reused);
  expect([(await again.call(getTournament, { params: { id: second ?? '' } })).teams, (await enter(again, first)).status]).toEqual([[], 200]);
}, 60_000);

it('changes no coach of a team whose contact was corrected with it', async () => {
  const site = await open();
  const { token } = await loggedInAdmin(site);
  const { teamId } = await registeredTeam(site, 'Lumbini Lions');
  const correct = async (at: Site, json: object) => at.send(correctTeam, { params: { id: teamId }, token, json, headers });
  expect((await correct(site, { teamPrimaryNumber: '9844444444' })).status).toBe(200);
  const teams = await site.call(listTeams, { token });
  await site.app.close(2000);
  const again = await open();
  const refused = await correct(again, { teamPrimaryNumber: '9855555555', coachname: 'Somebody Else' });
  expect([refused.status, refused.json()]).toMatchObject(reused);
  expect([await again.call(listTeams, { token }), (await correct(again, { teamPrimaryNumber: '9844444444' })).status]).toEqual([teams, 200]);
}, 60_000);

it.each([{ name: 'Somebody Elses' }, { teamPrimaryNumber: '9855555555' }])(
  'changes nothing of a team whose coach was corrected with it: %j',
  async (other) => {
    const site = await open();
    const { token } = await loggedInAdmin(site);
    const { teamId } = await registeredTeam(site, 'Lumbini Lions');
    const correct = async (at: Site, json: object) => at.send(correctTeam, { params: { id: teamId }, token, json, headers });
    expect((await correct(site, { coachname: 'Somebody Else' })).status).toBe(200);
    const teams = await site.call(listTeams, { token });
    await site.app.close(2000);
    const again = await open();
    const refused = await correct(again, other);
    expect([refused.status, refused.json()]).toMatchObject(reused);
    expect([await again.call(listTeams, { token }), (await correct(again, { coachname: 'Somebody Else' })).status]).toEqual([teams, 200]);
  },
  60_000,
);

it('gives no other number to a player whose details were corrected with it', async () => {
  const site = await open();
  const { token } = await loggedInAdmin(site);
  const { players } = await registeredTeam(site, 'Lumbini Lions');
  const [id = ''] = players;
  const correct = async (at: Site, json: object) => at.send(correctPlayer, { params: { id }, token, json, headers });
  expect((await correct(site, { age: '31' })).status).toBe(200);
  const listed = await site.call(listPlayers, { token });
  await site.app.close(2000);
  const again = await open();
  const refused = await correct(again, { jerseyNumber: '77' });
  expect([refused.status, refused.json()]).toMatchObject(reused);
  expect([await again.call(listPlayers, { token }), (await correct(again, { age: '31' })).status]).toEqual([listed, 200]);
}, 60_000);
