import { describe, expect, it } from 'vitest';
import { phoneDigits, shortNumberDigits } from '../lib/digits.rules.ts';
import {
  coachFaults,
  emptyCoach,
  emptyTeam,
  findUnlisted,
  isStepValid,
  isWritten,
  notAddedText,
  playerFault,
  playersNeeded,
  savedText,
  spacedPhone,
  teamFaults,
  waitingStep,
  type PlayerFields,
} from './register-team.rules.ts';

const messages = (faults: readonly { readonly message: string }[]): readonly string[] => faults.map(({ message }) => message);
const both = { image: true, document: true };

describe('step 1', () => {
  it('says what is wrong with a team, in order and to the letter', () => {
    expect(messages(teamFaults(emptyTeam, { logo: false }))).toEqual([
      'Team name must be at least 3 characters long',
      'Origin/Location is required',
      'Valid contact number is required',
      'Team logo is required',
    ]);
  });

  it.each([
    ['ab', false],
    ['abc', true],
    ['  ab ', false],
    ['हेटौंडा', true],
    // One letter with its mark is two for the server, whichever way it was typed; so two, and two are one.
    ['\u0958ब', true],
    ['e\u0301e\u0301', false],
  ])('takes the name %j: %j', (name, taken) => {
    expect(teamFaults({ ...emptyTeam, name, origin: 'Dharan', teamPrimaryNumber: '9841023776' }, { logo: true })).toHaveLength(taken ? 0 : 1);
  });

  it.each(['984102377', '98410237766', '98410x3776', ''])('refuses the number %j', (teamPrimaryNumber) => {
    expect(messages(teamFaults({ name: 'Dukes', origin: 'Dharan', teamPrimaryNumber }, { logo: true }))).toEqual(['Valid contact number is required']);
  });
});

describe('step 2', () => {
  it('says what is wrong with a coach, in order and to the letter', () => {
    expect(messages(coachFaults(emptyCoach, { coachImage: false }))).toEqual([
      'Coach name must be at least 6 characters long',
      'Valid primary phone number is required',
      'Valid secondary phone number is required',
      'Coach photo is required',
    ]);
  });

  it('checks for 7 letters, and says 6', () => {
    const coach = { coachphoneNumber: '9841000001', contact_number_2: '9841000002' };
    expect(messages(coachFaults({ ...coach, coachname: 'Sharma' }, { coachImage: true }))).toEqual(['Coach name must be at least 6 characters long']);
    expect(coachFaults({ ...coach, coachname: 'Sharmas' }, { coachImage: true })).toEqual([]);
  });
});

describe('step 3', () => {
  it('shows the first of the eight checks that fails, in order', () => {
    const good: PlayerFields = { name: 'Anish Limbu', jerseyNumber: '11', mobileNumber: '9807114420', age: '19', height: '186', weight: '74' };
    const fields = ['name', 'jerseyNumber', 'mobileNumber', 'age', 'height', 'weight'] as const;
    // One field more is right each time.
    const filled = fields.map((_, right) => Object.fromEntries(fields.map((field, at) => [field, at < right ? good[field] : ''])) as PlayerFields);
    const none = { image: false, document: false };
    const shown = [
      ...filled.map((player) => playerFault(player, none)?.message),
      playerFault(good, none)?.message,
      playerFault(good, { image: true, document: false })?.message,
      playerFault(good, both)?.message,
    ];
    expect(shown).toEqual([
      'Player name is required',
      'Jersey number is required',
      'Valid contact number is required',
      'Valid age is required',
      'Valid height is required',
      'Valid weight is required',
      'Player photo is required',
      'ID document is required',
      undefined,
    ]);
  });

  it('needs four players', () => {
    expect([0, 1, 3, 4, 12].map(playersNeeded)).toEqual([4, 3, 1, 0, 0]);
  });
});

it('waits at the first step that is not saved', () => {
  expect([waitingStep({ team: false, coach: false }), waitingStep({ team: true, coach: false }), waitingStep({ team: true, coach: true })]).toEqual([1, 2, 3]);
});

it('knows which steps have what they need', () => {
  const filled = {
    team: { name: 'Dukes', origin: 'Dharan', teamPrimaryNumber: '' },
    coach: { coachname: 'Sita Sharma', coachphoneNumber: '9841000001', contact_number_2: '' },
    players: [{}],
    files: { logo: true, coachImage: true },
  };
  expect(([1, 2, 3] as const).map((step) => isStepValid(step, filled))).toEqual([true, true, true]);
  expect(([1, 2, 3] as const).map((step) => isStepValid(step, { ...filled, players: [], files: { logo: false, coachImage: false } }))).toEqual([
    false,
    false,
    false,
  ]);
});

it.each([
  ['98x41-०२३776५९', phoneDigits, '9841023776'],
  ['1234', shortNumberDigits, '123'],
  ['-5', shortNumberDigits, '5'],
  ['१८६', shortNumberDigits, '186'],
  ['98abc11111111199', phoneDigits, '9811111111'],
  ['+977 98-4102-3776', phoneDigits, '9841023776'],
  ['००९७७ ९८४१०२३७७६', phoneDigits, '9841023776'],
  ['+977-1-4412345', phoneDigits, '14412345'],
  ['+977 9841023776, +977 9841023777', phoneDigits, '9841023776'],
  ['9779841023', phoneDigits, '9779841023'],
  ['977984102377', phoneDigits, '984102377'],
  ['98410237765', phoneDigits, '9841023776'],
  ['1 8-6', shortNumberDigits, '186'],
  ['', shortNumberDigits, ''],
])('keeps only the digits of %j', (typed, digits, kept) => {
  expect(digits(typed)).toBe(kept);
});

it('writes a phone in groups', () => {
  expect([spacedPhone('9841023776'), spacedPhone('98410')]).toEqual(['9841 023 776', '98410']);
});

describe('what is said to be saved where registration has closed', () => {
  const none = { lost: false, teamId: undefined, coachSaved: false, team: emptyTeam, players: [] };
  it.each([
    [{ team: { ...emptyTeam, origin: 'Dharan' } }, 'what you typed'],
    [{ teamId: 't' }, 'your team'],
    [{ teamId: 't', coachSaved: true }, 'your team and its coach'],
    [{ teamId: 't', coachSaved: true, players: [{}] }, 'your team, its coach and 1 player'],
    [{ lost: true, teamId: 't', coachSaved: true, players: [{}], team: { ...emptyTeam, name: 'Kings' } }, 'what you typed'],
  ])('of %j: %s', (more, what) => {
    expect(savedText({ ...none, ...more }, false)).toContain(`Nothing is lost: ${what} will stand here again`);
  });

  it('is nothing of a registration that was not begun', () => {
    expect([savedText(none, false), savedText(none, true)]).toEqual([undefined, undefined]);
  });

  it('promises nothing where nothing can be kept', () => {
    expect(savedText({ ...none, teamId: 't' }, true)).toBe('This browser cannot keep what you write here: it is lost when this page is left or reloaded.');
  });
});

it.each([
  [{}, false],
  [{ team: { ...emptyTeam, name: ' ' } }, false],
  [{ team: { ...emptyTeam, origin: 'Dharan' } }, true],
  [{ filesChosen: 1 }, true],
  [{ teamId: 't' }, true],
])('of %j there is something to lose: %j', (more, written) => {
  expect(isWritten({ teamId: undefined, team: emptyTeam, filesChosen: 0, ...more })).toBe(written);
});

describe('a player that the server has and the list has not', () => {
  const stored = { _id: 'p1', name: 'Zoë Limbu', jerseyNumber: '11', image: '' };
  it.each([
    [{ name: ' Zoe\u0308 Limbu ', jerseyNumber: '11' }, [], stored],
    [{ name: 'Zoë Limbu', jerseyNumber: '11' }, [stored], undefined],
    [{ name: 'Zoë Limbu', jerseyNumber: '1' }, [], undefined],
    [{ name: 'Zoë', jerseyNumber: '11' }, [], undefined],
  ])('%j beside %j: %j', (sent, listed, found) => {
    expect(findUnlisted([stored], listed, sent)).toBe(found);
  });
});

it('asks about a player that is not added in words of its own where it may be', () => {
  expect([notAddedText({ name: '' }, false), notAddedText({ name: ' Anish ' }, false), notAddedText({ name: 'Anish' }, true)]).toEqual([
    'The player that you have begun has not been added.',
    "'Anish' has not been added.",
    "It is not known whether 'Anish' was added.",
  ]);
});
