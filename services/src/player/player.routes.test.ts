import { recordMatchStats } from '@courtledger/contracts/match/match.api';
import { correctPlayer, getPlayer, getPlayerDocument, listPlayers } from '@courtledger/contracts/player/player.api';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import { auditStream, personStream } from '@courtledger/contracts/player/person.events';
import { addPlayerToTeam } from '@courtledger/contracts/team/team.api';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openFeatureBench, type FeatureBench } from '../platform/testing/feature-bench.ts';
import { refusal } from '../platform/testing/refusal.ts';
import { anyMatch, anyTeam, line, playerBody } from '../platform/testing/season-steps.ts';

let bench: FeatureBench;
let playerId: string;
beforeEach(async () => {
  bench = await openFeatureBench();
  playerId = (await anyTeam(bench, 2)).playerIds[0] ?? '';
});
afterEach(() => {
  bench.close();
});
const typesSince = async (before: number) => (await bench.facts()).slice(before).map(({ type }) => type);

describe('correctPlayer', () => {
  it('changes only what is sent', async () => {
    const before = (await bench.facts()).length;
    const { body, pending } = await bench.send(correctPlayer, {
      params: { id: playerId },
      body: { name: 'Asmita', height: 190, jerseyNumber: '00' },
      files: ['image'],
    });
    expect(body).toMatchObject({
      name: 'Asmita',
      height: 190,
      age: 20,
      weight: 80,
      jerseyNumber: '00',
      mobileNumber: '9800000011',
      document: true,
      image: expect.stringContaining('/media/image-') as string,
    });
    expect(pending).toBe(false);
    expect(await typesSince(before)).toStrictEqual(['PersonDetailsRecorded', 'PlayerJerseyNumberChanged']);
    expect((await bench.read(listPlayers)) as AdminPlayer[]).toContainEqual(body);
  });

  it('answers a repeated key as the first time', async () => {
    const sent = { params: { id: playerId }, body: { name: 'Asmita' }, files: [], key: 'k' };
    const first = await bench.send(correctPlayer, sent);
    expect((first.body as AdminPlayer).name).toBe('Asmita');
    await bench.send(correctPlayer, { ...sent, body: { name: 'Asmita Rai' }, key: 'other' });
    const before = (await bench.facts()).length;
    expect(await bench.send(correctPlayer, sent)).toStrictEqual(first);
    bench.restart();
    expect(await bench.send(correctPlayer, sent)).toStrictEqual(first);
    expect(await typesSince(before)).toStrictEqual([]);
  });

  it.each([
    ['a detail', { height: 190 }, 2],
    ['a jersey number', { jerseyNumber: '00' }, 2],
    ['nothing', {}, 5],
  ])('answers a repeated change of %s with the numbers of its first call, and with those of today where it did nothing', async (_what, body, points) => {
    const { a, matchId } = await anyMatch(bench);
    const [id = ''] = a.playerIds;
    const score = async (more: number) => bench.send(recordMatchStats, { body: { matchId, team1Players: [line(id, more)], team2Players: [] } });
    await score(2);
    const sent = { params: { id }, body, files: [], key: 'k' };
    const first = await bench.send(correctPlayer, sent);
    expect(first.body).toMatchObject({ total_points: 2, matches_played: 1, averages: { points: 2 } });
    await score(3);
    const repeated = { ...(first.body as AdminPlayer), total_points: points, averages: { points, assists: 0, rebounds: 0 } };
    expect((await bench.send(correctPlayer, sent)).body).toStrictEqual(repeated);
    bench.restart();
    expect((await bench.send(correctPlayer, sent)).body).toStrictEqual(repeated);
  });

  it('records nothing for nothing', async () => {
    const before = (await bench.facts()).length;
    await bench.send(correctPlayer, { params: { id: playerId }, body: { name: 'Player 1', jerseyNumber: '1' }, files: [] });
    expect(await typesSince(before)).toStrictEqual([]);
  });

  it.each([
    ['nothing', {}],
    ['what stands there', { name: 'Asmita', jerseyNumber: '1' }],
  ])('answers %s with the details as they are, though they were corrected after the last fact of the team', async (_what, body) => {
    const corrected = await bench.send(correctPlayer, { params: { id: playerId }, body: { name: 'Asmita', age: 21 }, files: ['image'] });
    const sent = { params: { id: playerId }, body, files: [], key: 'k' };
    expect((await bench.send(correctPlayer, sent)).body).toStrictEqual(corrected.body);
    expect((await bench.send(correctPlayer, sent)).body).toStrictEqual(corrected.body);
  });

  it('answers with both halves once a retry has recorded the second one, and so ever after', async () => {
    const sent = { params: { id: playerId }, body: { name: 'Asmita', jerseyNumber: '9' }, files: [], key: 'k' };
    bench.restart({
      ...bench.log,
      async append(stream, expected, events) {
        if (stream.startsWith('team-')) throw new Error('power cut');
        return bench.log.append(stream, expected, events);
      },
    });
    await expect(bench.send(correctPlayer, sent)).rejects.toThrow('power cut');
    bench.restart();
    const retried = await bench.send(correctPlayer, sent);
    expect(retried.body).toMatchObject({ name: 'Asmita', jerseyNumber: '9' });
    expect(await bench.send(correctPlayer, sent)).toStrictEqual(retried);
  });

  it('refuses a used jersey number before anything is recorded, an unknown player, and an erased one', async () => {
    const before = (await bench.facts()).length;
    expect(await refusal(bench.send(correctPlayer, { params: { id: playerId }, body: { name: 'Asmita', jerseyNumber: '2' } }))).toBe(
      'conflict: Jersey number 2 is already used in this team',
    );
    expect(await refusal(bench.send(correctPlayer, { params: { id: 'nope' }, body: { name: 'Asmita' } }))).toBe('not-found: There is no such player');
    expect(await typesSince(before)).toStrictEqual([]);
    bench.vault.destroy(playerId);
    await bench.log.deleteStream(personStream(playerId));
    bench.restart();
    expect(await refusal(bench.send(correctPlayer, { params: { id: playerId }, body: { name: 'Asmita' }, files: [] }))).toBe(
      'conflict: The details of this person were erased',
    );
    expect(await refusal(bench.send(correctPlayer, { params: { id: playerId }, body: { jerseyNumber: '77' }, files: [] }))).toBe('accepted');
  });
});

const numbered = async (id: string) => bench.send(correctPlayer, { params: { id }, body: { name: 'Asmita', jerseyNumber: '7' } });

describe('two who take the same jersey number at once', () => {
  it('are two corrections: nothing of the second is recorded', async () => {
    const { teamId, playerIds } = await anyTeam(bench, 2, 'Pokhara Peaks');
    const [one = '', other = ''] = playerIds;
    const before = (await bench.facts()).length;
    expect(await Promise.all([refusal(numbered(one)), refusal(numbered(other))])).toStrictEqual([
      'accepted',
      'conflict: Jersey number 7 is already used in this team',
    ]);
    expect((await bench.facts()).slice(before).map(({ stream }) => stream)).toStrictEqual([personStream(one), teamStream(teamId)]);
  });

  it('are a new player and a correction: nothing of the second is recorded', async () => {
    const { teamId, playerIds } = await anyTeam(bench, 1, 'Pokhara Peaks');
    const before = (await bench.facts()).length;
    const added = bench.send(addPlayerToTeam, { body: playerBody(teamId, 7) });
    expect(await Promise.all([refusal(added), refusal(numbered(playerIds[0] ?? ''))])).toStrictEqual([
      'accepted',
      'conflict: Jersey number 7 is already used in this team',
    ]);
    expect(await typesSince(before)).toStrictEqual(['PersonDetailsRecorded', 'PlayerAddedToTeam']);
  });
});

describe('getPlayerDocument', () => {
  it('gives the document as an attachment and records each view first', async () => {
    const read = async () => bench.read(getPlayerDocument, { params: { id: playerId } });
    const document = (await read()) as { bytes: Buffer; contentType: string; headers: object };
    expect({ ...document, bytes: document.bytes.toString() }).toStrictEqual({
      bytes: `%PDF of ${playerId}`,
      contentType: 'application/pdf',
      headers: {
        'Content-Disposition': 'attachment; filename="id-document.pdf"',
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
      },
    });
    await read();
    const views = await bench.facts(auditStream('2026-11'));
    expect(views.map(({ type, data, metadata }) => ({ type, playerId: (data as { playerId: string }).playerId, actor: metadata.actor.id }))).toStrictEqual([
      { type: 'DocumentViewed', playerId, actor: 'admin-1' },
      { type: 'DocumentViewed', playerId, actor: 'admin-1' },
    ]);
  });

  it('shows nothing when the view cannot be recorded', async () => {
    bench.restart({ ...bench.log, append: async () => Promise.reject(new Error('no log')) });
    await expect(bench.read(getPlayerDocument, { params: { id: playerId } })).rejects.toThrow('no log');
  });

  it('is not there once the player is erased', async () => {
    bench.vault.destroy(playerId);
    expect(await bench.read(getPlayerDocument, { params: { id: playerId } })).toBeUndefined();
    expect(await bench.facts(auditStream('2026-11'))).toStrictEqual([]);
  });

  it('is not there for whoever asks while another gateway erases the player', async () => {
    const { vault } = bench;
    const open = vault.open.bind(vault);
    vi.spyOn(vault, 'open').mockImplementation((id, sealed) => {
      vault.destroy(id);
      return open(id, sealed);
    });
    expect(await bench.read(getPlayerDocument, { params: { id: playerId } })).toBeUndefined();
    expect(await bench.facts(auditStream('2026-11'))).toStrictEqual([]);
  });

  it('is not there for an unknown player', async () => {
    expect(await bench.read(getPlayerDocument, { params: { id: 'nope' } })).toBeUndefined();
    expect(await bench.read(getPlayer, { params: { id: 'nope' } })).toBeUndefined();
  });
});
