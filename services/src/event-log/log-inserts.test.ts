import { describe, expect, it } from 'vitest';
import { LogUnavailable } from './event-log.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { appendOf, logFileOfEachTest, wholeReport } from './testing/log-file-of-each-test.ts';

const its = logFileOfEachTest();
const { filled, openFile, tamper } = its;

describe('a batch', () => {
  it('is one transaction, in which a conflict touches nobody else', () => {
    const { file, statements } = openFile();
    const before = statements.length;
    const outcomes = file.append([
      appendOf('match-1', 'no-stream'),
      appendOf('match-2', 4),
      appendOf('match-1', 'no-stream'),
      appendOf('match-1', 0),
      appendOf('match-3', 'any'),
    ]);
    expect(outcomes).toEqual([
      { kind: 'stored', revision: 0, position: 1, repeated: false },
      { kind: 'wrong-revision', actual: 'no-stream' },
      { kind: 'wrong-revision', actual: 0 },
      { kind: 'stored', revision: 1, position: 2, repeated: false },
      { kind: 'stored', revision: 0, position: 3, repeated: false },
    ]);
    expect(statements.slice(before)).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
  });

  it('refuses an id that another stream holds, alone', () => {
    const { file } = openFile();
    const event = sampleEvent();
    file.append([appendOf('match-1', 'no-stream', event)]);
    const outcomes = file.append([
      appendOf('match-2', 'no-stream'),
      appendOf('match-3', 'no-stream', sampleEvent(), event),
      appendOf('match-1', 0, event),
      appendOf('match-4', 'no-stream'),
    ]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['stored', 'unacceptable', 'unacceptable', 'stored']);
    expect(file.reader.readAll('start', 10).map((stored) => stored.stream)).toEqual(['match-1', 'match-2', 'match-4']);
    expect(wholeReport(file)).toEqual({ events: 3, erased: 0 });
  });

  it('sees a repeat within itself', () => {
    const { file } = openFile();
    const event = sampleEvent();
    expect(file.append([appendOf('match-1', 'no-stream', event), appendOf('match-1', 'no-stream', event), appendOf('match-1', 'any', event)])).toEqual([
      { kind: 'stored', revision: 0, position: 1, repeated: false },
      { kind: 'stored', revision: 0, position: 1, repeated: true },
      { kind: 'stored', revision: 0, position: 1, repeated: true },
    ]);
  });

  it('knows an append again that began the stream of an erased person anew', () => {
    const { file } = openFile();
    file.append([appendOf('person-1', 'no-stream')]);
    file.deleteStream('person-1');
    const begun = appendOf('person-1', 'no-stream', sampleEvent(), sampleEvent());
    expect(file.append([begun, begun])).toEqual([
      { kind: 'stored', revision: 2, position: 3, repeated: false },
      { kind: 'stored', revision: 2, position: 3, repeated: true },
    ]);
  });

  it('acknowledges nothing that the file does not take', () => {
    const log = filled(3);
    tamper('CREATE TRIGGER swallow BEFORE INSERT ON events BEGIN SELECT raise(ignore); END');
    expect(() => log.append([appendOf('match-1', 'any')])).toThrow(new LogUnavailable('Nothing was stored: the file does not take the event'));
    expect(log.reader.readAll('start', 100)).toHaveLength(3);
  });
});
