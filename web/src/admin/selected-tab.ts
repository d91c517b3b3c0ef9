/** The tab that is open: where the focus goes when what had it is gone. */
export const selectedTab = (within: ParentNode = document): HTMLElement | null => within.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
