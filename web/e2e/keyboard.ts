import type { Page } from '@playwright/test';

/** Goes by Tab to what has this accessible name, at most sixty stops away; as someone without a mouse does. */
export const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  const passed: string[] = [];
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate<string>(
      '(() => { const focused = document.activeElement; return (focused.getAttribute("aria-label") ?? focused.labels?.[0]?.textContent ?? focused.textContent ?? "").trim(); })()',
    );
    if (typeof name === 'string' ? label === name : name.test(label)) return;
    passed.push(label.slice(0, 40));
  }
  throw new Error(`no stop is called ${String(name)}: ${passed.join(' | ')}`);
};

const coveredFocus =
  '(() => { const focused = document.activeElement; const { left, top, width, height } = focused.getBoundingClientRect(); return focused.contains(document.elementFromPoint(left + width / 2, top + height / 2)) ? "" : (focused.getAttribute("aria-label") ?? focused.textContent); })()';

/** Goes on by Tab for so many stops; those that are covered by something else while they have the focus. */
export const coveredStops = async (page: Page, stops: number): Promise<readonly string[]> => {
  const covered: string[] = [];
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate<string>(coveredFocus);
    if (name !== '') covered.push(name);
  }
  return covered;
};
