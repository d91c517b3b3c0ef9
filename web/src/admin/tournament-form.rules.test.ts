import { describe, expect, it } from 'vitest';
import { tournament } from '../testing/tournament-builder.ts';
import { bodyOf, changedParts, emptiedParts, emptyTournament, formOf, isTournamentImage, missingParts } from './tournament-form.rules.ts';

const stored = { ...tournament(), organizer: { name: 'Valley Club', image: '', phoneNumber: '01-5970456' } };

describe('an edit', () => {
  it('begins with what is stored', () => {
    expect(formOf(stored)).toMatchObject({
      startDate: '2026-12-12',
      'organizer[phoneNumber]': '01-5970456',
      'prizePool[entryFee]': '15000',
      registerable: 'true',
      league: 'false',
      featured: 'false',
    });
  });

  it('sends only changed fields, nested as parent[child], and new images', () => {
    const before = formOf(stored);
    const after = { ...before, location: 'Pokhara', 'prizePool[mvp]': '30000', name: `${before.name} ` };
    const changed = changedParts(before, after);
    expect(changed).toEqual(['location', 'prizePool[mvp]']);
    const poster = new File(['x'], 'poster.png', { type: 'image/png' });
    expect([...bodyOf(after, changed, { posterImage: poster }).keys()]).toEqual(['location', 'prizePool[mvp]', 'posterImage']);
    expect([...bodyOf(before, changedParts(before, before), {}).keys()]).toEqual([]);
  });

  it('notices a text that was emptied', () => {
    const before = formOf(stored);
    const after = { ...before, location: ' ' };
    expect(emptiedParts(after, changedParts(before, after))).toEqual(['location']);
  });
});

const sentAs = (registerable: string) => bodyOf({ ...emptyTournament, registerable }, ['registerable'], {}).get('registerable');
const changes = (before: string, after: string): boolean =>
  changedParts({ ...emptyTournament, registerable: before }, { ...emptyTournament, registerable: after }).length > 0;

describe('the word that opens registration', () => {
  it('is sent in small letters, and any other text as it is written', () => {
    expect(['true', 'True', ' TRUE ', 'tRuE\u00a0', ' Registration closed', 'True story', 'False'].map(sentAs)).toEqual([
      'true',
      'true',
      'true',
      'true',
      'Registration closed',
      'True story',
      'False',
    ]);
  });

  it('is a change only where it opens what was not open', () => {
    expect([changes('true', 'True'), changes('Full', 'True'), changes('True', 'true'), changes('True', 'TRUE')]).toEqual([false, true, true, true]);
    // Registration that is closed by the text 'True' is not opened by an edit of something else.
    expect(changes('True', 'True ')).toBe(false);
  });
});

describe('a creation', () => {
  it('requires every field and both images', () => {
    expect(missingParts(emptyTournament, {})).toEqual([
      'name',
      'startDate',
      'endDate',
      'location',
      'registeringStartDate',
      'organizer[name]',
      'organizer[phoneNumber]',
      'prizePool[firstPrize]',
      'prizePool[secondPrize]',
      'prizePool[thirdPrize]',
      'prizePool[entryFee]',
      'prizePool[mvp]',
      'posterImage',
      'organizerImage',
    ]);
    const image = new File(['x'], 'a.png');
    expect(missingParts({ ...formOf(stored), eventName: '' }, { posterImage: image, organizerImage: image })).toEqual([]);
  });

  it.each([
    ['image/jpeg', 26_214_400, true],
    ['image/png', 1, true],
    ['image/png', 26_214_401, false],
    ['image/gif', 1, false],
    ['application/pdf', 1, false],
  ])('takes %s of %d bytes: %j', (type, size, taken) => {
    expect(isTournamentImage({ type, size })).toBe(taken);
  });
});
