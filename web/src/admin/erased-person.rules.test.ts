import { expect, it } from 'vitest';
import { adminPlayer, team } from '../testing/staff-builder.ts';
import { erasedOfTeam, isErasedPlayer, playerNamed } from './erased-person.rules.ts';

it.each([
  ['Former player', '7', 'Former player (number 7)'],
  ['Former player', '00', 'Former player (number 00)'],
  ['Former player', '', 'Former player'],
  ['Suyog Maharjan', '7', 'Suyog Maharjan'],
])('%s with the number "%s" is told as %s', (name, jerseyNumber, told) => {
  expect(playerNamed({ name, jerseyNumber })).toBe(told);
});

it.each([
  [['Suyog Maharjan', 'Suyog Maharjan', 'Pranil Tamang'], '7', 'Suyog Maharjan (number 7)'],
  [['Suyog Maharjan', 'Suyog Maharjan'], '', 'Suyog Maharjan'],
  [['Suyog Maharjan', 'Pranil Tamang'], '7', 'Suyog Maharjan'],
])('one among %s with the number "%s" is told as %s', (names, jerseyNumber, told) => {
  expect(
    playerNamed(
      { name: 'Suyog Maharjan', jerseyNumber },
      names.map((name) => ({ name })),
    ),
  ).toBe(told);
});

it('knows an erased player by the missing number, whatever the name', () => {
  expect([adminPlayer(), adminPlayer({ name: 'Former player' }), adminPlayer({ name: 'Former player', mobileNumber: '' })].map(isErasedPlayer)).toEqual([
    false,
    false,
    true,
  ]);
});

it('knows who of a team was erased; a coach who is not yet there was not', () => {
  const stored = team('k', 'Kathmandu Kings');
  const coach = { name: 'Former coach', phone_number: '', contact_number_2: '', image: '' };
  const team_details = { ...stored.team_details, teamPrimaryNumber: '' };
  expect([stored, { ...stored, coach: {} }, { ...stored, coach }, { ...stored, team_details }, { ...stored, coach, team_details }].map(erasedOfTeam)).toEqual([
    [],
    [],
    ['coach'],
    ['contact'],
    ['coach', 'contact'],
  ]);
});
