import { RecordedLog } from './recorded-log.ts';

/** A tournament with a match, `m1`, of two teams of four that is still to be played. */
export const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1', { startDate: '2026-11-10' });
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.match('m1', 't1', 'a', 'b', '2026-11-12', '15:30');
  return log;
};
