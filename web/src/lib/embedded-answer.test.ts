import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  document.head.replaceChildren();
});

const embed = (text: string): void => {
  const script = document.createElement('script');
  script.type = 'application/json';
  script.id = 'first-answer';
  script.textContent = text;
  document.head.append(script);
};

it('gives the answer that stands in the page to the query that would ask for it, and starts the live position there', async () => {
  embed(String.raw`{"address":"/tournaments/","position":"77","answer":{"allTournaments":[{"name":"\u003cb>"}]}}`);
  const { embeddedAnswer } = await import('./embedded-answer.ts');
  const { firstReadPosition } = await import('./api-client.ts');
  expect(embeddedAnswer('/tournaments/')).toEqual({ answer: { allTournaments: [{ name: '<b>' }] }, at: performance.timeOrigin });
  expect(embeddedAnswer('/match/matches/')).toBeUndefined();
  expect(firstReadPosition()).toBe('77');
});

it.each(['', '{', 'null'])('gives nothing for %j', async (text) => {
  embed(text);
  const { embeddedAnswer } = await import('./embedded-answer.ts');
  expect(embeddedAnswer('/tournaments/')).toBeUndefined();
});
