import { createProjector, type Projector } from '../projector.ts';
import { openReader, type Reader } from '../read-model.ts';
import type { RecordedLog } from './recorded-log.ts';
import { scratchFolder } from './scratch.ts';

/** A read model that has projected a log, live and in one batch. */
export const projected = (log: RecordedLog): Disposable & { readonly path: string; readonly projector: Projector; readonly reader: Reader } => {
  const folder = scratchFolder();
  const path = folder.file('read-model.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  projector.apply(log.events);
  const reader = openReader(path);
  return {
    path,
    projector,
    reader,
    [Symbol.dispose]() {
      reader.close();
      projector.close();
      folder[Symbol.dispose]();
    },
  };
};
