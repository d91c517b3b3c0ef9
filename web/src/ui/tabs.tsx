import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode, type RefObject } from 'react';

type TabsProps<T extends string> = {
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly title: ReactNode }[];
  readonly selected: T;
  readonly onSelect: (id: T) => void;
  /** The panel of the selected tab. */
  readonly children: ReactNode;
};

type Cut = 'start' | 'end' | 'both';
/** How wide the fade at a cut edge is, as controls.css draws it. */
const fade = 40;

/** Tabs that do not fit are scrolled: the selected one comes into view, clear of the fades, and the edges behind which there is more are told. */
const useScrolledTabs = (at: number): { readonly list: RefObject<HTMLDivElement | null>; readonly cut: Cut | undefined } => {
  const list = useRef<HTMLDivElement>(null);
  const [cut, setCut] = useState<Cut>();
  useEffect(() => {
    const row = list.current;
    if (!row) return undefined;
    const look = (): void => {
      // A fraction of a pixel is no tab.
      const [start, end] = [row.scrollLeft > 1, row.scrollLeft + row.clientWidth < row.scrollWidth - 1];
      setCut(start && end ? 'both' : start ? 'start' : end ? 'end' : undefined);
    };
    const follow = (): void => {
      const tab = row.children[at];
      if (tab instanceof HTMLElement) {
        // Only the row moves: scrollIntoView() would move the page along.
        const most = Math.max(tab.offsetLeft - fade, 0);
        const least = tab.offsetLeft + tab.offsetWidth + fade - row.clientWidth;
        row.scrollLeft = Math.min(Math.max(row.scrollLeft, least), most);
      }
      look();
    };
    follow();
    const sizes = new ResizeObserver(follow);
    sizes.observe(row);
    row.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      row.removeEventListener('scroll', look);
    };
  }, [at]);
  return { list, cut };
};

/** Tabs by the pattern of the ARIA practices: one tab stop, arrows move and select, Home and End jump. */
export const Tabs = <T extends string>({ label, tabs, selected, onSelect, children }: TabsProps<T>): ReactElement => {
  const base = useId();
  const { list, cut } = useScrolledTabs(tabs.findIndex((tab) => tab.id === selected));
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
      <div className="tabs" role="tablist" aria-label={label} ref={list} tabIndex={-1} data-cut={cut} onKeyDown={move}>
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
