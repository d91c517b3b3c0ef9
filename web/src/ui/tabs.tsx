import { useId, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';

type TabsProps<T extends string> = {
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly title: ReactNode }[];
  readonly selected: T;
  readonly onSelect: (id: T) => void;
  /** The panel of the selected tab. */
  readonly children: ReactNode;
};

/** Tabs by the pattern of the ARIA practices: one tab stop, arrows move and select, Home and End jump. */
export const Tabs = <T extends string>({ label, tabs, selected, onSelect, children }: TabsProps<T>): ReactElement => {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (!tab) return;
    onSelect(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} tabIndex={-1} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}`}
            aria-selected={tab.id === selected}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => {
              onSelect(tab.id);
            }}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${selected}`}>
        {children}
      </div>
    </>
  );
};
