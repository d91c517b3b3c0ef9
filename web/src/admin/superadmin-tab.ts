import type { ComponentType } from 'react';

/** What each tab is told by the page: whether its create button was pressed, and where to say that the dialog is closed. */
export type SuperAdminTabProps = { readonly creating: boolean; readonly onCreated: () => void };

export type SuperAdminTab = {
  readonly id: string;
  readonly title: string;
  /** The text of the page's create button, where the tab has one. */
  readonly create?: string;
  readonly Panel: ComponentType<SuperAdminTabProps>;
};
