import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import { dismissToast, shownToasts } from '../src/lib/toasts.ts';

// Files share one page (vitest.config.ts): what the file before has left on it is no business of this one.
document.head.replaceChildren();
document.body.replaceChildren();
for (const element of [document.documentElement, document.body]) for (const name of element.getAttributeNames()) element.removeAttribute(name);
document.title = '';
history.replaceState(null, '', '/');
localStorage.clear();
sessionStorage.clear();
const staticsOfUrl = Object.getOwnPropertyDescriptors(URL);
afterAll(() => {
  for (const name of Object.getOwnPropertyNames(URL)) if (!Object.hasOwn(staticsOfUrl, name)) Reflect.deleteProperty(URL, name);
  Object.defineProperties(URL, staticsOfUrl);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  // The next test would wait until one of the same words has gone.
  for (const { id } of shownToasts()) dismissToast(id);
});
// A screen is fetched when its route opens: on a busy machine the first one takes longer than the second that is waited by default.
configure({ asyncUtilTimeout: 25_000 });
// What Mantine's guide asks jsdom to have.
Object.defineProperty(window, 'matchMedia', {
  writable: true,
  value: vi.fn((query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addListener: vi.fn(),
    removeListener: vi.fn(),
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    dispatchEvent: vi.fn(),
  })),
});
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
window.HTMLElement.prototype.scrollIntoView = () => {};
Object.defineProperty(document, 'fonts', { configurable: true, value: { addEventListener: vi.fn(), removeEventListener: vi.fn() } });
