import { expect, test } from 'vitest';
import { fieldMessage, formMessage } from './field-message.rules.ts';

test.each([
  ['organizer[phoneNumber] is required', 'organizer[phoneNumber]', 'Organizer phone number', 'Organizer phone number is required'],
  ['matchTime must be a time such as 14:30, or empty', 'matchTime', 'Match time (optional)', 'Match time must be a time such as 14:30, or empty'],
  ['Team name must be at least 3 characters long', 'name', 'Team name', 'Team name must be at least 3 characters long'],
  ['nameless', 'name', 'Name', 'nameless'],
])('%j of the field %s labelled %j is told as %j', (message, name, label, told) => {
  expect(fieldMessage(message, name, label)).toBe(told);
});

test('a message above a form names the field that it is about, and nothing else is touched', () => {
  const labels = { 'prizePool[firstPrize]': 'First prize', email: 'Email' };
  expect(
    ['prizePool[firstPrize] is required', 'email must be a valid e-mail address', 'constructor is required', 'Bad Request', ''].map((message) =>
      formMessage(message, labels),
    ),
  ).toEqual(['First prize is required', 'Email must be a valid e-mail address', 'constructor is required', 'Bad Request', '']);
});
