import type { APIRequestContext } from '@playwright/test';
import { picture } from './pictures.ts';

/** The journeys' super admin; admins are made through it. */
export const superAdmin = { id: 'journeys', password: 'a-password-for-journeys-4821' };
/** How a server under test is configured, beside its folder and its address. */
export const serverEnvironment = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', SUPERADMIN_ID: superAdmin.id, SUPERADMIN_PASSWORD: superAdmin.password };

const authorized = (token: string): { readonly Authorization: string } => ({ Authorization: `Bearer ${token}` });

const tokenOf = async (request: APIRequestContext, path: string, data: object): Promise<string> => {
  const answer = await request.post(path, { data });
  if (!answer.ok()) throw new Error(`${path} answered ${String(answer.status())}`);
  return ((await answer.json()) as { token: string }).token;
};

export type Staff = { readonly email: string; readonly password: string; readonly token: string };

/** An admin account made for one journey, and its token. */
export const makeAdmin = async (request: APIRequestContext): Promise<Staff> => {
  const account = { username: 'Journey', email: `journey-${crypto.randomUUID()}@example.com`, password: 'a-courtside-password-93', phoneNumber: '9800000002' };
  const superToken = await tokenOf(request, '/api/superadmin/login', superAdmin);
  const made = await request.post('/api/superadmin/create-admin', { headers: authorized(superToken), data: account });
  if (made.status() !== 201) throw new Error(`create-admin answered ${String(made.status())}`);
  return {
    email: account.email,
    password: account.password,
    token: await tokenOf(request, '/api/admin/login', { email: account.email, password: account.password }),
  };
};

/** A tournament that is open for registration, upcoming for everybody. */
export const makeTournament = async (request: APIRequestContext, staff: Staff, name: string): Promise<string> => {
  const image = { name: 'poster.png', mimeType: 'image/png', buffer: picture(120, 150) };
  const answer = await request.post('/api/tournaments/create-tournament', {
    headers: authorized(staff.token),
    multipart: {
      name,
      startDate: '2099-01-10',
      endDate: '2099-01-20',
      registeringStartDate: '2026-01-01',
      location: 'Dasharath Covered Hall',
      'organizer[name]': 'Journey Sports Club',
      'organizer[phoneNumber]': '01-5970456',
      'prizePool[firstPrize]': '50000',
      'prizePool[secondPrize]': '25000',
      'prizePool[thirdPrize]': '10000',
      'prizePool[mvp]': '5000',
      'prizePool[entryFee]': '1000',
      registerable: 'true',
      league: 'true',
      posterImage: image,
      organizerImage: image,
    },
  });
  if (answer.status() !== 201) throw new Error(`create-tournament answered ${String(answer.status())}: ${await answer.text()}`);
  return ((await answer.json()) as { _id: string })._id;
};

type Multipart = NonNullable<NonNullable<Parameters<APIRequestContext['post']>[1]>['multipart']>;

/** A team of four that has entered a tournament. */
export const makeTeam = async (request: APIRequestContext, staff: Staff, tournamentId: string, name: string): Promise<string> => {
  const headers = authorized(staff.token);
  const image = { name: 'photo.png', mimeType: 'image/png', buffer: picture(90, 90) };
  const post = async (path: string, multipart: Multipart): Promise<{ _id: string }> => {
    const answer = await request.post(path, { headers, multipart });
    if (!answer.ok()) throw new Error(`${path} answered ${String(answer.status())}: ${await answer.text()}`);
    return (await answer.json()) as { _id: string };
  };
  const team = await post('/api/team/create-team-step-1', { name, origin: 'Pokhara', teamPrimaryNumber: '9800000011', logo: image });
  await post('/api/team/add-coach-details', {
    coachname: `Coach of ${name}`,
    coachphoneNumber: '9800000012',
    contact_number_2: '9800000013',
    coachImage: image,
    teamId: team._id,
  });
  for (const [index, player] of ['Anish Limbu', 'Bishal Tamang', 'Chandra Rai', 'Dipesh Gurung'].entries()) {
    await post('/api/team/add-single-player-to-team', {
      name: player,
      mobileNumber: `980000010${String(index)}`,
      currentTeam: team._id,
      height: '188',
      weight: '80',
      age: '24',
      jerseyNumber: String(index + 4),
      image,
      document: image,
    });
  }
  const entered = await request.post('/api/tournaments/assign-team-to-tournament', { headers, data: { tournamentId, teamId: team._id } });
  if (!entered.ok()) throw new Error(`assign-team answered ${String(entered.status())}`);
  return team._id;
};
