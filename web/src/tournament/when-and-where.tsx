import { IconCalendarEvent, IconMapPin } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { formatBsDate, formatFullDate } from '../lib/format.rules.ts';
import { ScriptText } from '../ui/script-text.tsx';

/** The day on which a tournament begins, and its place. */
export const WhenAndWhere = ({ startDate, location }: { readonly startDate: string; readonly location: string }): ReactElement => (
  <div className="facts">
    <span title={formatBsDate(startDate)}>
      <IconCalendarEvent className="i" stroke={1.75} aria-hidden="true" />
      {formatFullDate(startDate)}
    </span>
    <span>
      <IconMapPin className="i" stroke={1.75} aria-hidden="true" />
      <span>
        <ScriptText text={location} />
      </span>
    </span>
  </div>
);
