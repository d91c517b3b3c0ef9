import type { ComponentType } from 'react';
import type { AuditSubject, OnAudit } from './audit.data.ts';

/** What each tab is told by the page: whether its create button was pressed, where to say that the dialog is closed, whose audit was asked for, and where to ask for one. */
export type SuperAdminTabProps = { readonly creating: boolean; readonly onCreated: () => void; readonly audited: AuditSubject | undefined; readonly onAudit: OnAudit };

export type SuperAdminTab = {
  readonly id: string;
  readonly title: string;
  /** The text of the page's create button, where the tab has one. */
  readonly create?: string;
  readonly Panel: ComponentType<SuperAdminTabProps>;
};
