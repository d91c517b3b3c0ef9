/** Short messages at the top right: success for 3 s, errors for 5 s (specification section 9). */
export type Toast = { readonly id: number; readonly kind: 'success' | 'error'; readonly text: string };

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

const show = (kind: Toast['kind'], text: string): void => {
  change([...shown, { id: nextId++, kind, text }]);
};

export const toastSuccess = (text: string): void => {
  show('success', text);
};
export const toastError = (text: string): void => {
  show('error', text);
};
