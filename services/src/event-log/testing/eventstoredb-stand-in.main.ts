// A stand-in of its own for a terminal: node services/src/event-log/testing/eventstoredb-stand-in.main.ts [FILE]
import { EventStoreStandIn } from './eventstoredb-stand-in.ts';

const file = process.argv[2];
const standIn = await EventStoreStandIn.start(file === undefined ? {} : { file });
console.log(standIn.url);
