import { personShown } from '../kernel/dependents.ts';
import { noEffect, type Projection } from '../kernel/projection.ts';
import { people } from './person.documents.ts';

export const personProjection: Projection = {
  name: 'person',
  on: {
    PersonDetailsRecorded({ revision, data }, documents) {
      const person = documents.change(people, data.personId);
      if (person.erased) return;
      person.revision = revision;
      person.kind = data.kind;
      person.details = data.details;
      personShown(documents, data.personId, person);
    },
    /** Leaves the same document whether the details were ever read (live) or are gone from the log already (rebuild). */
    PersonErased({ data }, documents) {
      const person = documents.change(people, data.personId);
      person.revision = -1;
      person.kind = data.kind;
      person.details = null;
      person.erased = true;
      personShown(documents, data.personId, person);
    },
    DocumentViewed: noEffect,
  },
};
