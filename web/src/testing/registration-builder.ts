import { readDraft, type Draft } from '../team/register-team-draft.ts';

export const team = { name: 'Dharan Dukes', origin: 'Dharan', teamPrimaryNumber: '9841023776' };
export const coach = { coachname: 'Sita Sharma', coachphoneNumber: '9841000001', contact_number_2: '9841000002' };

/** So many players as a draft lists them. */
export const players = (count: number): Draft['players'] =>
  Array.from({ length: count }, (_, index) => ({
    _id: `p${String(index)}`,
    name: `Player ${String(index)}`,
    mobileNumber: '9841023776',
    jerseyNumber: String(index),
    image: '',
  }));

/** The draft of tournament t1 as it is kept now. */
export const kept = (): Draft => {
  const draft = readDraft('t1');
  if (!draft) throw new Error('No draft is kept');
  return draft;
};
