import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { chromium, type Browser, type Page } from '@playwright/test';
import sharp from 'sharp';
import { findBrowser } from './browser.ts';
import { discard, startWithSeason } from './bench/stage.ts';

/**
 * `node scripts/screens.ts [screen...]`: pictures of every screen at both widths into docs/screens, taken from the built site on a seeded season
 * of its own. WebP of at most 60 kB each. Exits 1 when a screen could not be taken or stays too large.
 */
const folder = join(import.meta.dirname, '../docs/screens');
const mostBytes = 60_000;
/** Below this a screen is cut: what follows repeats. */
const tallest = { 1440: 2000, 390: 3000 } as const;
const widths = [1440, 390] as const;
type Width = (typeof widths)[number];
const account = { username: 'Pema Sherpa', email: 'pema.sherpa@courtledger.example', password: 'a-courtside-password-93', phoneNumber: '9803311204' };
/** The accounts of the mock-up, so that its list is shown. */
const colleagues = [
  { username: 'sarita.koirala', phoneNumber: '9841556012' },
  { username: 'bikash.shah', phoneNumber: '9802214477' },
  { username: 'deepak.bhattarai-narayanghat', phoneNumber: '9855011983' },
].map(({ username, phoneNumber }) => ({ username, phoneNumber, email: `${username}@courtledger.example`, password: account.password }));
const requests = [
  {
    tournamentName: 'Terai Night League',
    contactPhone1: '9851033421',
    contactPhone2: '9851033422',
    email: 'night@courtledger.example',
    organizerName: 'Janakpur Youth Sports Club',
    location: 'Janakpurdham',
    prizePool: 'NPR 1,50,000 and a trophy',
  },
  {
    tournamentName: 'कोशी खुला बास्केटबल प्रतियोगिता',
    contactPhone1: '021-456789',
    contactPhone2: '9842011223',
    organizerName: 'Koshi Hoops Collective',
    location: 'Biratnagar',
    prizePool: 'NPR 80,000',
  },
];
const root = { id: 'bench', password: 'a-long-bench-password-7391' };

type Listed = { readonly allTournaments: readonly { readonly _id: string; readonly name: string; readonly league: string; readonly registerable: string }[] };
type Side = { readonly team_details: { readonly name: string; readonly logo: string } };
type Matches = { readonly matches: readonly { readonly _id: string; readonly hasStats: boolean; readonly team_1: Side; readonly team_2: Side }[] };
type Session = { readonly admin: string; readonly root: string };

const readJson = async <T>(answer: Response): Promise<T> => {
  if (!answer.ok) throw new Error(`${answer.url} answered ${String(answer.status)}`);
  return (await answer.json()) as T;
};

/** Logs in both kinds of staff, so that their dashboards can be opened. */
const openSessions = async (site: string): Promise<Session> => {
  const post = async (path: string, body: object, token?: string): Promise<{ token: string }> =>
    readJson(
      await fetch(`${site}/api${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      }),
    );
  const { token } = await post('/superadmin/login', root);
  for (const person of [account, ...colleagues]) await post('/superadmin/create-admin', person, token);
  for (const request of requests) {
    const form = new FormData();
    for (const [name, value] of Object.entries(request)) form.append(name, value);
    await readJson(await fetch(`${site}/api/tournaments/requests`, { method: 'POST', body: form }));
  }
  return { root: token, admin: (await post('/admin/login', { email: account.email, password: account.password })).token };
};

type Screen = {
  readonly name: string;
  readonly path: string;
  readonly as?: keyof Session;
  readonly only?: Width;
  /** What is done before the picture is taken. */
  readonly act?: (page: Page, width: Width) => Promise<void>;
};

const tab =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('tab', { name, exact: true }).click();
    await page.getByRole('table').first().waitFor();
  };
const press =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    await page.getByRole('dialog').waitFor();
  };

type Upload = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };
/** Pictures of the season, to be sent again by those who fill in a form. */
type Pictures = { readonly logo: Upload; readonly photo: Upload };

const readPicture = async (site: string, path: string, name: string): Promise<Upload> => {
  const answer = await fetch(`${site}${path}`);
  if (!answer.ok) throw new Error(`${path} answered ${String(answer.status)}`);
  // PNG, whatever the season keeps: a form takes PNG and JPEG.
  return {
    name,
    mimeType: 'image/png',
    buffer: await sharp(Buffer.from(await answer.arrayBuffer()))
      .png()
      .toBuffer(),
  };
};
const paper: Upload = { name: 'citizenship.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n', 'latin1') };

const fill = async (page: Page, texts: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text);
};

/** The wizard as its mock-ups stand: filled in, with one fault. */
const fillTeam = async (page: Page, { logo }: Pictures, phone: string): Promise<void> => {
  await fill(page, { 'Team name': 'Dharan Dukes', 'Origin / Location': 'Dharan, Sunsari', 'Primary number': phone });
  await page.getByLabel('Team logo').setInputFiles(logo);
  await page.getByText(logo.name).waitFor();
  await page.getByRole('button', { name: 'Save & Continue' }).click();
};
const fillCoach = async (page: Page, pictures: Pictures): Promise<void> => {
  await fillTeam(page, pictures, '9841023700');
  await page.getByLabel('Coach name').waitFor();
  await fill(page, { 'Coach name': 'Arjun Kumar Rai', 'Primary phone number': '9841000001', 'Secondary phone number': '9841000002' });
  await page.getByLabel('Coach photo').setInputFiles({ ...pictures.photo, name: 'coach.png' });
  await page.getByText('coach.png').waitFor();
};
const fillPlayers = async (page: Page, pictures: Pictures): Promise<void> => {
  await fillCoach(page, pictures);
  await page.getByRole('button', { name: 'Save & Continue' }).click();
  await page.getByLabel('Player name').waitFor();
  for (const [count, name, phone, number] of [
    ['1 player added', 'Sandesh Rai', '9841023776', '7'],
    ['2 players added', 'Bishal Tamang Ghising', '9818550412', '23'],
  ] as const) {
    await fill(page, { 'Player name': name, 'Contact number': phone, Age: '21', 'Jersey number': number, 'Height in cm': '186', 'Weight in kg': '78' });
    await page.getByLabel('Player photo').setInputFiles(pictures.photo);
    await page.getByLabel('ID document').setInputFiles(paper);
    await page.getByText(paper.name).waitFor();
    await page.getByRole('button', { name: 'Add Player to Team' }).click();
    await page.getByRole('heading', { name: count }).waitFor();
  }
  await fill(page, { 'Player name': 'Anish Limbu', 'Contact number': '9807114420', Age: '19', 'Jersey number': '11', 'Weight in kg': '74' });
  await page.getByLabel('ID document').setInputFiles(paper);
  await page.getByText(paper.name).waitFor();
  await page.getByRole('button', { name: 'Add Player to Team' }).click();
  await page.getByRole('alert').waitFor();
  await page.locator('.toast').first().waitFor({ state: 'detached' });
};

const listScreens = async (site: string): Promise<readonly Screen[]> => {
  const { allTournaments } = await readJson<Listed>(await fetch(`${site}/api/tournaments/`));
  const league = allTournaments.find((tournament) => tournament.league === 'true');
  const open = allTournaments.find((tournament) => tournament.registerable === 'true');
  if (!league || !open) throw new Error('the season has no league, or nothing to enter');
  const { matches } = await readJson<Matches>(await fetch(`${site}/api/tournaments/${league._id}/matches`));
  const played = matches.findLast((match) => match.hasStats);
  const next = matches.find((match) => !match.hasStats);
  if (!played || !next) throw new Error('the season has no played match, or none to come');
  const playedTeams = `${played.team_1.team_details.name}, ${played.team_2.team_details.name}`;
  const { player_stats: rows, team_1: team } = await readJson<{ player_stats: { player_id: string; image: string }[]; team_1: Side }>(
    await fetch(`${site}/api/match/matches/${played._id}`),
  );
  const pictures: Pictures = {
    logo: await readPicture(site, team.team_details.logo, 'dukes-crest.png'),
    photo: await readPicture(site, rows[0]?.image ?? '', 'player.png'),
  };
  const season: Upload = {
    name: 'season.jsonl',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(await (await fetch(`${site}/api/tournaments/${league._id}/season-file`)).arrayBuffer()),
  };
  return [
    { name: 'landing', path: '/' },
    { name: 'results', path: `/events?tournament=${league._id}`, act: async (page) => page.getByRole('article').first().waitFor() },
    {
      name: 'results-played',
      path: `/events?tournament=${league._id}`,
      act: async (page) => {
        await page.getByRole('button', { name: 'Previous dates' }).click();
        await page.getByRole('group', { name: 'Match dates' }).getByRole('button', { pressed: false }).nth(1).click();
        await page.getByText('Point Difference').first().waitFor();
      },
    },
    { name: 'upcoming', path: '/upcoming', act: async (page) => page.getByRole('article').first().waitFor() },
    { name: 'about', path: '/about' },
    { name: 'card', path: '/card', act: async (page) => page.getByRole('article').first().waitFor() },
    { name: 'tournament', path: `/tournament/${league._id}` },
    { name: 'standings', path: `/standings/${league._id}`, act: async (page) => page.getByRole('table').waitFor() },
    { name: 'match', path: `/MatchDetails/${played._id}`, act: async (page) => page.getByText('Match Completed').waitFor() },
    { name: 'players', path: `/ViewPlayers/${next._id}`, act: async (page) => page.getByRole('table').first().waitFor() },
    { name: 'player', path: `/player/${rows[0]?.player_id ?? ''}`, act: async (page) => page.getByText('Average Points').waitFor() },
    {
      name: 'request',
      path: '/register',
      act: async (page) => {
        await fill(page, {
          'Tournament name': 'Terai Night League',
          'Contact phone 1': '9851033421',
          'Organizer name': 'Janakpur Youth Sports Club',
          'Prize pool': 'NPR 1,50,000 and a trophy',
        });
        await page.getByRole('button', { name: 'Register Tournament' }).click();
        await page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'wizard-1',
      path: `/registerteam/${open._id}`,
      act: async (page) => {
        await fillTeam(page, pictures, '98410237');
        await page.getByText('Valid contact number is required').waitFor();
      },
    },
    { name: 'wizard-2', path: `/registerteam/${open._id}`, act: async (page) => fillCoach(page, pictures) },
    { name: 'wizard-3', path: `/registerteam/${open._id}`, act: async (page) => fillPlayers(page, pictures) },
    {
      name: 'verify',
      path: '/verify',
      act: async (page) => {
        await page.getByRole('main').locator('input[type=file]').setInputFiles(season);
        await page.getByRole('table').first().waitFor();
      },
    },
    { name: 'not-found', path: '/no/such/page' },
    { name: 'menu', path: '/', only: 390, act: press('Open menu') },
    {
      name: 'search',
      path: '/about',
      act: async (page, width) => {
        if (width === 390) await page.getByRole('button', { name: 'Search tournaments' }).click();
        await page.getByRole('combobox', { name: 'Search tournaments' }).last().fill('2083');
        await page.getByRole('option').first().waitFor();
      },
    },
    {
      name: 'login',
      path: '/adminlogin',
      act: async (page) => {
        await fill(page, { Email: account.email, Password: 'not the password' });
        await page.getByRole('button', { name: 'Log in' }).click();
        await page.getByRole('alert').waitFor();
      },
    },
    { name: 'superadmin-login', path: '/superadmin8080808080' },
    { name: 'admin-tournaments', path: '/admin', as: 'admin', act: tab('Tournaments') },
    { name: 'admin-users', path: '/admin', as: 'admin', act: tab('Users') },
    { name: 'admin-teams', path: '/admin', as: 'admin', act: tab('Teams') },
    { name: 'admin-matches', path: '/admin', as: 'admin', act: tab('Matches') },
    { name: 'admin-players', path: '/admin', as: 'admin', act: tab('Players') },
    { name: 'admin-create-tournament', path: '/admin', as: 'admin', act: press('Create Tournament') },
    {
      name: 'admin-assign-match',
      path: '/admin',
      as: 'admin',
      act: async (page) => {
        await press(/^Add Match to Himalayan/)(page);
        for (const pick of [0, 1]) await page.getByRole('dialog').locator('.pick').nth(pick).click();
      },
    },
    {
      name: 'admin-update-match',
      path: '/admin',
      as: 'admin',
      act: async (page) => {
        await tab('Matches')(page);
        await press(`Edit ${playedTeams}`)(page);
        const inputs = page.getByRole('dialog').getByLabel(/^Add (points|assists)/);
        await inputs.nth(0).fill('3');
        await inputs.nth(3).fill('-9');
      },
    },
    {
      name: 'admin-match-history',
      path: '/admin',
      as: 'admin',
      act: async (page) => {
        await tab('Matches')(page);
        await press(`History ${playedTeams}`)(page);
      },
    },
    { name: 'admin-requests', path: '/admin', as: 'admin', act: tab('Requests') },
    {
      name: 'admin-document',
      path: '/admin',
      as: 'admin',
      act: async (page) => {
        await tab('Players')(page);
        await press(/^ID document of /)(page);
        await page.getByRole('dialog').getByRole('link', { name: 'Save' }).waitFor();
      },
    },
    { name: 'superadmin', path: '/superadminakakakakak', as: 'root', act: tab('Admin History') },
    { name: 'superadmin-create-admin', path: '/superadminakakakakak', as: 'root', act: press('Create Admin') },
    { name: 'superadmin-tournaments', path: '/superadminakakakakak', as: 'root', act: tab('Tournament') },
    { name: 'superadmin-users', path: '/superadminakakakakak', as: 'root', act: tab('Users') },
    {
      name: 'superadmin-operations',
      path: '/superadminakakakakak',
      as: 'root',
      act: async (page) => {
        await page.getByRole('tab', { name: 'Operations' }).click();
        await page.getByRole('button', { name: 'Verify log' }).waitFor();
      },
    },
    { name: 'superadmin-audit', path: '/superadminakakakakak', as: 'root', act: tab('Audit') },
  ];
};

/** The picture as a file: the best quality that stays small enough; a long list is cut before it would be spoilt. */
const write = async (png: Buffer, file: string): Promise<void> => {
  const { width, height } = await sharp(png).metadata();
  for (const part of [1, 0.7, 0.5]) {
    for (const quality of [80, 65, 50, 40]) {
      const webp = await sharp(png)
        .extract({ left: 0, top: 0, width, height: Math.round(height * part) })
        .webp({ quality, effort: 5 })
        .toBuffer();
      if (webp.length > mostBytes) continue;
      writeFileSync(file, webp);
      return;
    }
  }
  throw new Error('stays too large');
};

const take = async (browser: Browser, site: string, session: Session, screen: Screen, width: Width): Promise<void> => {
  const context = await browser.newContext({
    viewport: { width, height: width === 390 ? 844 : 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Asia/Kathmandu',
  });
  try {
    const token = screen.as && session[screen.as];
    if (token !== undefined) await context.addInitScript(`localStorage.setItem('${screen.as === 'root' ? 'stoken' : 'atoken'}', '${token}')`);
    const page = await context.newPage();
    await page.goto(`${site}${screen.path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await screen.act?.(page, width);
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    const modal = (await page.getByRole('dialog').count()) > 0;
    // From the top: what follows the window would stand in the middle of the page.
    if (!modal) await page.evaluate('window.scrollTo(0, 0)');
    // Pictures below the fold are loaded as they come near.
    if (!modal)
      await page.evaluate(
        "(async () => { for (const image of document.images) image.loading = 'eager'; await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))); })()",
      );
    const height = Math.min(await page.evaluate<number>('document.documentElement.scrollHeight'), tallest[width]);
    const png = await page.screenshot(modal ? {} : { fullPage: true, clip: { x: 0, y: 0, width, height } });
    await write(png, join(folder, `${screen.name}-${String(width)}.webp`));
  } finally {
    await context.close();
  }
};

const stage = await startWithSeason();
const executablePath = findBrowser();
const browser = await chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: ['--disable-gpu'] });
let faults = 0;
try {
  const site = `http://127.0.0.1:${String(stage.port)}`;
  const session = await openSessions(site);
  const asked = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  const screens = (await listScreens(site)).filter(({ name }) => asked.length === 0 || asked.includes(name));
  if (screens.length === 0) throw new Error(`no screen is called ${asked.join(', ')}`);
  for (const screen of screens) {
    for (const width of widths) {
      if (screen.only !== undefined && screen.only !== width) continue;
      try {
        await take(browser, site, session, screen, width);
      } catch (error) {
        faults += 1;
        console.error(`${screen.name}-${String(width)}: ${messageOf(error)}`);
      }
    }
  }
} finally {
  await browser.close();
  await stage.stop();
  discard(stage);
}
const files = readdirSync(folder).filter((file) => file.endsWith('.webp'));
const large = files.filter((file) => statSync(join(folder, file)).size > mostBytes);
for (const file of large) console.error(`${file} is larger than ${String(mostBytes)} bytes`);
console.log(
  `screens: ${String(files.length)} pictures, ${String(Math.round(files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0) / 1000))} kB, ${String(faults + large.length)} faults`,
);
process.exitCode = faults + large.length > 0 ? 1 : 0;
