import { expect, it } from 'vitest';
import { verdictOn, wordsFor } from './eventstoredb-event-log-errors.ts';

/** As the client gives them: recorded from it. */
const unavailable = (last: string): Error =>
  Object.assign(new Error(`14 UNAVAILABLE: No connection established. Last error: ${last}. Resolution note: `), { type: 'unavailable', code: 14 });

it.each([
  ['no node of its cluster can be reached, or knows a leader', new Error('Failed to discover after 10 attempts.')],
  [
    'no connection can be made: its certificate is of an authority that is not known here (tlsCAFile in EVENTSTORE_URL names the file of one)',
    unavailable('Error: self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca'),
  ],
  [
    'no connection can be made: its certificate is of an authority that is not known here (tlsCAFile in EVENTSTORE_URL names the file of one)',
    unavailable('Error: unable to verify the first certificate'),
  ],
  [
    'no connection can be made: its certificate is of an authority that is not known here (tlsCAFile in EVENTSTORE_URL names the file of one)',
    unavailable('Error: unable to get local issuer certificate'),
  ],
  [
    'no connection can be made: its certificate is for another host name',
    unavailable("Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list: "),
  ],
  ['no connection can be made: its certificate has expired', unavailable('Error: certificate has expired')],
  [
    'no connection can be made: one side speaks TLS and the other does not',
    unavailable('Error: 40B0:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number'),
  ],
  ['no connection can be made (ECONNREFUSED)', unavailable('Error: connect ECONNREFUSED 127.0.0.1:2113')],
])('says "%s" and knows that nothing was sent', (words, error) => {
  expect([wordsFor(error), verdictOn(error)]).toEqual([words, 'not-sent']);
});
