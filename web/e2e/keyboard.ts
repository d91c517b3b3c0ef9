import type { Page } from '@playwright/test';

/** Goes by Tab to what has this accessible name, at most sixty stops away; as someone without a mouse does. */
export const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  const passed: string[] = [];
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate<string>('(() => { const focused = document.activeElement; return (focused.getAttribute("aria-label") ?? focused.labels?.[0]?.textContent ?? focused.textContent ?? "").trim(); })()');
    if (typeof name === 'string' ? label === name : name.test(label)) return;
    passed.push(label.slice(0, 40));
  }
  throw new Error(`no stop is called ${String(name)}: ${passed.join(' | ')}`);
};
