import { describe, expect, it } from 'vitest';
import { allEndpoints } from './all-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import type { FieldError } from './errors.ts';
import { fieldErrors } from './fields.ts';
import { fieldTexts } from './texts.ts';

const parse = (endpoint: Endpoint, body: unknown): { readonly body?: unknown; readonly errors: FieldError[] } => {
  const result = endpoint.body.safeParse(body);
  return result.success ? { body: result.data, errors: [] } : { errors: fieldErrors(result.error, endpoint.fieldOrder) };
};
const messages = (endpoint: Endpoint, body: unknown): string[] => parse(endpoint, body).errors.map(({ message }) => message);
const paths = (endpoint: Endpoint, body: unknown): string[] => parse(endpoint, body).errors.map(({ path }) => path);

const tournament = {
  name: 'Cup',
  startDate: '2026-11-01',
  endDate: '2026-11-01',
  location: 'Pokhara',
  registeringStartDate: '2026-11-01',
  registerable: 'true',
  league: 'false',
  organizer: { name: 'Ram', phoneNumber: '+977 1 412345' },
  prizePool: { firstPrize: '50000', secondPrize: '0', thirdPrize: 'TBD', entryFee: '500', mvp: '5000' },
};
const player = { name: 'Sita', jerseyNumber: '00', mobileNumber: '9812345678', age: '0', height: '170', weight: '60', currentTeam: 't' };

describe('createTournament', () => {
  it('takes a whole tournament, whose days may be one', () => {
    expect(parse(allEndpoints.createTournament, { ...tournament, _id: 'x', __v: 3, posterImage: 'text' })).toEqual({
      body: { ...tournament, eventName: '', featured: false },
      errors: [],
    });
  });

  it("tells all that is missing, in the specification's order", () => {
    const names = allEndpoints.createTournament.fieldOrder.filter((name) => !['posterImage', 'organizerImage', 'eventName', 'featured'].includes(name));
    expect(parse(allEndpoints.createTournament, {}).errors).toEqual(names.map((path) => ({ path, message: `${path} is required` })));
  });

  it('tells dates that do not fit together with everything else that is wrong', () => {
    expect(parse(allEndpoints.createTournament, { ...tournament, name: '', startDate: '2026-11-05', registeringStartDate: '2026-11-06' }).errors).toEqual([
      { path: 'name', message: 'name is required' },
      { path: 'endDate', message: 'End date must not be before start date' },
      { path: 'registeringStartDate', message: 'Registration must not start after the tournament' },
    ]);
  });

  it('does not compare a date that is wrong by itself', () => {
    expect(paths(allEndpoints.createTournament, { ...tournament, startDate: 'soon' })).toEqual(['startDate']);
  });

  it('is not disturbed by the organizer as plain text', () => {
    expect(paths(allEndpoints.createTournament, { ...tournament, organizer: '[object Object]' })).toEqual(['organizer[name]', 'organizer[phoneNumber]']);
  });
});

describe('changeTournament', () => {
  it('changes nothing when nothing is sent, and ignores what it does not know', () => {
    expect(parse(allEndpoints.changeTournament, {})).toEqual({ body: {}, errors: [] });
    expect(parse(allEndpoints.changeTournament, { _id: 'x', __v: 1, posterImage: '/media/a.jpg', organizer: 'text', teams: ['a'] })).toEqual({
      body: {},
      errors: [],
    });
  });

  it('takes parts of groups', () => {
    expect(parse(allEndpoints.changeTournament, { prizePool: { mvp: ' 7000 ' }, organizer: { name: 'Hari', image: 'x' } })).toEqual({
      body: { prizePool: { mvp: '7000' }, organizer: { name: 'Hari' } },
      errors: [],
    });
  });

  it('refuses what is sent empty', () => {
    const emptied = {
      name: '',
      eventName: ' ',
      startDate: '',
      endDate: '',
      registeringStartDate: '',
      location: '',
      registerable: '',
      league: '',
      organizer: { name: '', phoneNumber: '' },
      prizePool: { firstPrize: '', secondPrize: '', thirdPrize: '', entryFee: '', mvp: '' },
    };
    const expected = allEndpoints.changeTournament.fieldOrder.filter((name) => !['posterImage', 'organizerImage', 'featured'].includes(name));
    expect(parse(allEndpoints.changeTournament, emptied).errors).toEqual(expected.map((path) => ({ path, message: `${path} is required` })));
  });
});

describe('the registration', () => {
  it('tells the team step in order', () => {
    expect(messages(allEndpoints.registerTeam, { name: 'ab', teamPrimaryNumber: '981234567' })).toEqual([
      'Team name must be at least 3 characters long',
      'Origin/Location is required',
      'Valid contact number is required',
    ]);
    expect(messages(allEndpoints.registerTeam, { name: 'abc', origin: 'Ilam', teamPrimaryNumber: '9812345678' })).toEqual([]);
  });

  it('asks for seven characters of a coach and says six', () => {
    const coach = { coachphoneNumber: '9812345678', contact_number_2: '9812345679', teamId: 't' };
    expect(messages(allEndpoints.appointCoach, { ...coach, coachname: 'Ramesh' })).toEqual(['Coach name must be at least 6 characters long']);
    expect(messages(allEndpoints.appointCoach, { ...coach, coachname: 'Ramesh!' })).toEqual([]);
    expect(messages(allEndpoints.appointCoach, { coachname: 'Ramesh!', teamId: 't' })).toEqual([
      'Valid primary phone number is required',
      'Valid secondary phone number is required',
    ]);
  });

  it('tells the player step in the order of the eight checks, files in their place', () => {
    const { fieldOrder, files } = allEndpoints.addPlayerToTeam;
    const fileMessages = [
      { path: 'image', message: files.image.missing },
      { path: 'document', message: files.document.missing },
    ];
    const all = [...parse(allEndpoints.addPlayerToTeam, {}).errors, ...fileMessages].toSorted(
      (a, b) => fieldOrder.findIndex((name) => name === a.path) - fieldOrder.findIndex((name) => name === b.path),
    );
    expect(all.map(({ message }) => message)).toEqual([
      'Player name is required',
      'Jersey number is required',
      'Valid contact number is required',
      'Valid age is required',
      'Valid height is required',
      'Valid weight is required',
      'Player photo is required',
      'ID document is required',
      'currentTeam is required',
    ]);
  });

  it('keeps jersey numbers exact and reads numbers', () => {
    expect(parse(allEndpoints.addPlayerToTeam, player)).toEqual({ body: { ...player, age: 0, height: 170, weight: 60 }, errors: [] });
  });
});

describe('edits', () => {
  it.each([allEndpoints.correctTeam, allEndpoints.correctPlayer, allEndpoints.changeAdmin, allEndpoints.rescheduleMatch])(
    '$name changes only what is sent',
    (endpoint) => {
      expect(parse(endpoint, { _id: 'x', __v: 1, image: '/media/a.jpg' }).body).toEqual({});
    },
  );

  it('take numbers where JSON clients send numbers', () => {
    expect(parse(allEndpoints.correctPlayer, { age: 21, jerseyNumber: 7, height: 0 }).body).toEqual({ age: 21, jerseyNumber: '7', height: 0 });
  });

  it('refuse empty texts, but for a password that stays', () => {
    expect(messages(allEndpoints.correctTeam, { name: '', coachname: '', contact_number_2: '' })).toEqual([
      fieldTexts.teamName,
      fieldTexts.coachName,
      fieldTexts.coachSecondPhone,
    ]);
    expect(messages(allEndpoints.correctPlayer, { weight: '', jerseyNumber: null })).toEqual(['Jersey number is required', 'Valid weight is required']);
    expect(messages(allEndpoints.changeAdmin, { username: '', password: '', email: 'x' })).toEqual([
      'username is required',
      'email must be a valid e-mail address',
    ]);
  });

  it('tell a day that is kept from a time that is emptied', () => {
    expect(parse(allEndpoints.rescheduleMatch, { time: '' }).body).toEqual({ time: '' });
    expect(parse(allEndpoints.rescheduleMatch, { time: null }).body).toEqual({ time: '' });
    expect(messages(allEndpoints.rescheduleMatch, { date: '' })).toEqual(['date is required']);
  });
});

describe('matches', () => {
  const text = 'Please select exactly two teams and a match date to assign a match.';
  const match = { teamAId: 'a', teamBId: 'b', tournamentId: 't', matchTime: '', matchDate: '2026-11-01' };

  it.each([
    ['a missing team', { ...match, teamBId: undefined }, [text]],
    ['a missing date', { ...match, matchDate: null }, [text]],
    ['an empty date', { ...match, matchDate: '' }, [text]],
    ['the same team twice', { ...match, teamBId: 'a' }, [text]],
    ['the same team twice, without a tournament', { ...match, teamBId: 'a', tournamentId: '' }, [text, 'tournamentId is required']],
    ['no time', { ...match, matchTime: undefined }, []],
    ['an empty time', match, []],
    ['a wrong time', { ...match, matchTime: '25:00' }, ['matchTime must be a time such as 14:30, or empty']],
  ])('assignMatch with %s', (_name, body, expected) => {
    expect(messages(allEndpoints.assignMatch, body)).toEqual(expected);
  });

  it('recordMatchStats takes repeated and incomplete lines', () => {
    const line = { playerId: 'p', points: '2', notplayed: 'played' };
    const read = { playerId: 'p', points: 2, assists: 0, rebounds: 0, notplayed: 'played' };
    expect(parse(allEndpoints.recordMatchStats, { matchId: 'm', team1Players: [line, line, { playerId: 'q', name: 'ignored' }] }).body).toEqual({
      matchId: 'm',
      team1Players: [read, read, { playerId: 'q', points: 0, assists: 0, rebounds: 0, notplayed: '' }],
      team2Players: [],
    });
  });

  it('recordMatchStats names the line that is wrong', () => {
    expect(
      parse(allEndpoints.recordMatchStats, { matchId: 'm', team1Players: [], team2Players: [{ playerId: 'p' }, { points: 1000, notplayed: 'maybe' }] }).errors,
    ).toEqual([
      { path: 'team2Players[1].playerId', message: 'team2Players[1].playerId is required' },
      { path: 'team2Players[1].points', message: 'team2Players[1].points must be between -999 and 999' },
      { path: 'team2Players[1].notplayed', message: "team2Players[1].notplayed must be 'played', 'Not Played' or 'DNP'" },
    ]);
  });

  it('recordStatIncrement needs a number or a status', () => {
    expect(messages(allEndpoints.recordStatIncrement, { entryId: 'e', playerId: 'p', points: '0' })).toEqual(['A statistic or a status is required']);
    expect(messages(allEndpoints.recordStatIncrement, { entryId: 'e', playerId: 'p', notplayed: 'played' })).toEqual([]);
    expect(messages(allEndpoints.recordStatIncrement, { entryId: 'e', playerId: 'p', rebounds: -1 })).toEqual([]);
  });

  it('reverseStatEntry takes a reason of 1 to 500 characters', () => {
    expect(messages(allEndpoints.reverseStatEntry, { reason: '😀'.repeat(500) })).toEqual([]);
    expect(messages(allEndpoints.reverseStatEntry, { reason: ' ' })).toEqual(['reason is required']);
    expect(messages(allEndpoints.reverseStatEntry, { reason: 'x'.repeat(501) })).toEqual(['reason must be at most 500 characters long']);
  });

  it('nameMatchMvp tells nobody from nothing', () => {
    expect(parse(allEndpoints.nameMatchMvp, { playerId: null }).body).toEqual({ playerId: null });
    expect(messages(allEndpoints.nameMatchMvp, {})).toEqual(['playerId is required']);
  });
});

describe('other calls', () => {
  it('requestTournament lists all mandatory fields that are missing in one text', () => {
    const text = 'Please fill in all mandatory fields: contactPhone2, prizePool';
    expect(
      parse(allEndpoints.requestTournament, {
        tournamentName: 'Cup',
        contactPhone1: '12',
        contactPhone2: ' ',
        organizerName: 'Ram',
        location: 'Pokhara',
        email: 'x',
      }).errors,
    ).toEqual([
      { path: 'contactPhone1', message: 'contactPhone1 must be 7 to 20 digits, spaces, + or -' },
      { path: 'contactPhone2', message: text },
      { path: 'prizePool', message: text },
      { path: 'email', message: 'email must be a valid e-mail address' },
    ]);
  });

  it('getTeamNames keeps the order, drops what is no text and refuses what is no list', () => {
    expect(parse(allEndpoints.getTeamNames, { teamsId: ['b', 3, null, 'a', 'b'] }).body).toEqual({ teamsId: ['b', 'a', 'b'] });
    expect(messages(allEndpoints.getTeamNames, { teamsId: 'b' })).toEqual(['teamsId must be a list']);
    expect(messages(allEndpoints.getTeamNames, {})).toEqual(['teamsId is required']);
  });

  it('logins take anything, so that everything wrong is the same 401', () => {
    expect(parse(allEndpoints.logInAdmin, { email: ['x'] }).body).toEqual({ email: '', password: '' });
  });
});

/** Every text of ours as a pattern; `{field}` and the arguments of functions match anything a wire name or number is made of. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('\\{field\\}', '(?:The request body|[\\w[\\].]+)')
      .replaceAll('\\{fields\\}', '\\w+(?:, \\w+)*')
      .replaceAll('4242', '\\d+')}$`,
  );
const wordsOf = /^[\w[\].]+ must be (?:'[\w-]+'(?:, | or )?){2,}$/;
const ours = Object.values(fieldTexts).map((text) =>
  text === fieldTexts.oneOf ? wordsOf : patternOf(typeof text === 'function' ? (text as (value: number) => string)(4242) : text),
);

/** A small seeded generator (mulberry32): the same seed gives the same bodies. */
const generator = (start: number) => {
  let state = start;
  return (below: number): number => {
    state = Math.trunc(state + 0x6d2b79f5);
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

describe('whatever is sent', () => {
  const seed = Number(process.env['SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
  const strange: readonly unknown[] = [
    undefined,
    null,
    '',
    ' ',
    'x',
    'true',
    '2026-11-01',
    '2026-99-99',
    '9812345678',
    '0',
    '१२३',
    -1,
    0,
    1.5,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    [{}],
    [{ playerId: 5 }],
    [{ playerId: 'p', points: 1e9, notplayed: 7 }],
    { name: 3 },
    { mvp: [] },
    { name: { toString: 5 } },
    'a'.repeat(5000),
    '\u0000',
    '\ud800',
    '__proto__',
    10n,
    Symbol('s'),
    new Date(Number.NaN),
  ];

  it.each(
    Object.values(allEndpoints)
      .filter(({ bodyKind }) => bodyKind !== 'none')
      .map((endpoint: Endpoint) => [endpoint.name, endpoint] as const),
  )(`%s answers in our own words (seed ${seed})`, (_name, endpoint) => {
    const pick = generator(seed);
    const keys = Object.keys((endpoint.body as unknown as { shape: object }).shape);
    const bodies = [...strange, ...Array.from({ length: 400 }, () => Object.fromEntries(keys.map((key) => [key, strange[pick(strange.length)]])))];
    const told = bodies.flatMap((body) => messages(endpoint, body));
    expect(told.length).toBeGreaterThan(0);
    expect([...new Set(told)].filter((message) => !ours.some((pattern) => pattern.test(message)))).toEqual([]);
  });
});

const query = (endpoint: Endpoint, given: unknown): unknown => {
  const result = endpoint.query.safeParse(given);
  return result.success ? result.data : fieldErrors(result.error, endpoint.fieldOrder);
};

describe('queries', () => {
  it.each([
    [{}, {}],
    [{ date: '' }, { date: undefined }],
    [{ date: '2026-10-31T18:15:00Z', other: 'x' }, { date: '2026-11-01' }],
    [{ date: '2026-02-30' }, [{ path: 'date', message: 'date must be a calendar date' }]],
    [{ date: ['2026-11-01', '2026-11-02'] }, [{ path: 'date', message: 'date is not valid' }]],
  ])('listTournamentMatches reads %j as %j', (given, expected) => {
    expect(query(allEndpoints.listTournamentMatches, given)).toEqual(expected);
  });

  it('getStandings takes a position, a time or nothing, and refuses the rest', () => {
    expect(query(allEndpoints.getStandings, {})).toEqual({});
    expect(query(allEndpoints.getStandings, { asOf: '17' })).toEqual({ asOf: { kind: 'position', position: 17n } });
    expect(query(allEndpoints.getStandingsCsv, { asOf: 'soon' })).toEqual([{ path: 'asOf', message: 'asOf must be a time or a position' }]);
  });
});
