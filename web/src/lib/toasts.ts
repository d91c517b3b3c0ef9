/** Short messages at the top right: success for 3 s, errors for 5 s (specification section 9). */
export type Toast = {
  readonly id: number;
  readonly kind: 'success' | 'error';
  readonly text: string;
  /** What was tried. */
  readonly about?: string | undefined;
};

export const toastDurations: Record<Toast['kind'], number> = { success: 3000, error: 5000 };

let shown: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

const change = (next: readonly Toast[]): void => {
  shown = next;
  for (const listener of listeners) listener();
};

export const shownToasts = (): readonly Toast[] => shown;

export const onToastsChange = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const dismissToast = (id: number): void => {
  change(shown.filter((toast) => toast.id !== id));
};

/** What a command has come to takes the place of its failure before: both are not true at once. */
const show = (kind: Toast['kind'], text: string, about: string | undefined): void => {
  change([...shown.filter((toast) => toast.kind === 'success' || about === undefined || toast.about !== about), { id: nextId++, kind, text, about }]);
};

export const toastSuccess = (text: string, about?: string): void => {
  show('success', text, about);
};
export const toastError = (text: string, about?: string): void => {
  show('error', text, about);
};
