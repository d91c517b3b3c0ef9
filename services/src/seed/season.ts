import { kathmanduDay, kathmanduTime } from '@courtledger/contracts/kernel/days';
import type { Charge, Kit, Shield } from './drawings.ts';

/** The demo season: invented clubs and people; every number follows from the seed, every date from today. */
export type SeedTeam = {
  readonly name: string;
  readonly origin: string;
  readonly coach: string;
  readonly strength: number;
  readonly shield: Shield;
  readonly charge: Charge;
  readonly kit: Kit;
  readonly players: readonly string[];
};

export const seedTeams: readonly SeedTeam[] = [
  {
    name: 'Kathmandu Kings',
    origin: 'Kathmandu',
    coach: 'Rajendra Maharjan',
    strength: 9,
    shield: 'shield',
    charge: 'crown',
    kit: { ground: '#4D2785', ink: '#F4C34F', trim: '#F4C34F' },
    players: [
      'Bibek Shrestha',
      'Sabin Maharjan',
      'Pranil Tuladhar',
      'Utsav Karki',
      'Nischal Basnet',
      'Suyog Rana',
      'Aayush Dangol',
      'Prajwal Khadka',
      'Rohan Manandhar',
      'Kiran Bajracharya',
    ],
  },
  {
    name: 'Pokhara Panthers',
    origin: 'Pokhara',
    coach: 'Dipendra Gurung',
    strength: 7,
    shield: 'roundel',
    charge: 'claws',
    kit: { ground: '#0F4A4A', ink: '#7FE0D2', trim: '#F4F1EA' },
    players: [
      'Anish Gurung',
      'Suraj Thapa',
      'Milan Pun',
      'Deepak Adhikari',
      'Bikash Tamang',
      'Rabin Ale',
      'Sandesh Poudel',
      'Ganesh Baral',
      'Nabin Gurung',
      'Saroj Pahari',
    ],
  },
  {
    name: 'Chitwan Rhinos',
    origin: 'Bharatpur',
    coach: 'Krishna Prasad Mahato',
    strength: 5,
    shield: 'hexagon',
    charge: 'horn',
    kit: { ground: '#24502F', ink: '#E8EFD9', trim: '#F4C34F' },
    players: [
      'Santosh Chaudhary',
      'Ramesh Mahato',
      'Bishal Lama',
      'Arjun Kumal',
      'Dinesh Tharu',
      'Hari Sapkota',
      'Umesh Bote',
      'Pawan Subedi',
      'Kamal Rijal',
      'Sagar Darai',
    ],
  },
  {
    name: 'Biratnagar Blaze',
    origin: 'Biratnagar',
    coach: 'Sunil Kumar Jha',
    strength: 8,
    shield: 'tile',
    charge: 'flame',
    kit: { ground: '#8F1D14', ink: '#FFB02E', trim: '#FFB02E' },
    players: [
      'Aman Yadav',
      'Rahul Jha',
      'Manish Sah',
      'Rajesh Rajbanshi',
      'Sanjay Mandal',
      'Niraj Koirala',
      'Bijay Limbu',
      'Ashok Das',
      'Vivek Agrawal',
      'Deepak Rai',
    ],
  },
  {
    name: 'Bhaktapur Durbar Square Sporting and Cultural Club',
    origin: 'Bhaktapur',
    coach: 'Purna Bahadur Suwal',
    strength: 4,
    shield: 'shield',
    charge: 'chevrons',
    kit: { ground: '#5A3326', ink: '#F2DEC4', trim: '#FF9F5A' },
    players: [
      'Surendra Suwal',
      'Bikram Kayastha',
      'Ishwor Prajapati',
      'Rijan Duwal',
      'Sujan Shilpakar',
      'Amit Kawan',
      'Raju Hada',
      'Binod Twayana',
      'Sachin Koju',
      'Prem Lawaju',
    ],
  },
  {
    name: 'हेटौंडा हिमालयन्स',
    origin: 'हेटौंडा',
    coach: 'गोपाल बहादुर थिङ',
    strength: 6,
    shield: 'roundel',
    charge: 'peaks',
    kit: { ground: '#3D2B52', ink: '#9DB9DA', trim: '#F4F1EA' },
    players: ['सन्दीप लामा', 'रोशन मोक्तान', 'विशाल गोले', 'प्रकाश थिङ', 'सुमन घलान', 'अनिल बल', 'दीपेश पाख्रिन', 'मनोज स्याङ्तान', 'राजन वाइबा', 'सुजन तामाङ'],
  },
  {
    name: 'Lalitpur Lynx',
    origin: 'Lalitpur',
    coach: 'Anita Shakya Bajracharya',
    strength: 6,
    shield: 'roundel',
    charge: 'cat',
    kit: { ground: '#7A3B20', ink: '#F2DEC4', trim: '#F2DEC4' },
    players: [
      'Sajan Shakya',
      'Prashant Awale',
      'Nirmal Desar',
      'Rupesh Khadgi',
      'Sunil Byanjankar',
      'Bimal Dhakhwa',
      'Roshan Nakarmi',
      'Anup Tandukar',
      'Kabin Shahi',
      'Diwas Bista',
    ],
  },
  {
    name: 'Dharan Dukes',
    origin: 'Dharan',
    coach: 'Tika Ram Limbu',
    strength: 7,
    shield: 'shield',
    charge: 'bolt',
    kit: { ground: '#173F7A', ink: '#9DC4FF', trim: '#F4F1EA' },
    players: [
      'Yogesh Limbu',
      'Prabin Rai',
      'Suman Shrestha',
      'Bhupen Subba',
      'Arun Tamang',
      'Kushal Angbo',
      'Samir Khatri',
      'Nawaraj Dewan',
      'Tej Bahadur Rai',
      'Rikesh Yonjan',
    ],
  },
];

export const seedTournaments = {
  league: {
    name: 'Himalayan Hoops League 2083',
    organizer: 'Himalayan Hoops Association',
    phone: '01-5970123',
    location: 'Dasharath Covered Hall, Kathmandu',
    registerable: 'Registration closed',
    league: 'true',
    featured: 'false',
    prizes: { firstPrize: '300000', secondPrize: '150000', thirdPrize: '75000', mvp: '25000', entryFee: '12000' },
    starts: -28,
    ends: 14,
    registers: -60,
  },
  cup: {
    name: 'Valley Winter Classic 2083',
    organizer: 'Kathmandu Valley Basketball Association',
    phone: '01-5970456',
    location: 'Satdobato Sports Complex, Lalitpur',
    registerable: 'true',
    league: 'false',
    featured: 'true',
    prizes: { firstPrize: '500000', secondPrize: '250000', thirdPrize: '100000', mvp: '25000', entryFee: '15000' },
    starts: 21,
    ends: 28,
    registers: -20,
  },
} as const;
/** Who may run the season, with a password of its own each time. */
export const seedAdmin = { username: 'Courtside', email: 'courtside@courtledger.example', phoneNumber: '9800000000' };
/** How many of the teams have entered the cup already. */
export const cupEntries = 5;

/** Small, well-known generator (mulberry32): the same seed gives the same season. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const addDays = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** One match of the season: teams by index, days from today (negative: past), `HH:mm`. */
export type Fixture = { readonly a: number; readonly b: number; readonly day: number; readonly time: string };

/** What a match takes, in milliseconds. */
const length = 2 * 3_600_000;
/**
 * Whether a match of the season that is planted at `now` (milliseconds) has ended by then. Of today's it depends on the hour: nobody believes the result of a
 * match that has not begun.
 */
export const isOver = ({ day, time }: Fixture, now: number): boolean => Date.parse(kathmanduTime(addDays(kathmanduDay(now), day), time)) + length <= now;

/** A single round robin by the circle method: seven rounds of four, the fifth of them today. */
export function fixtures(teams: number): readonly Fixture[] {
  const ring = Array.from({ length: teams - 1 }, (_, index) => index + 1);
  const days = [-28, -21, -14, -7, 0, 7, 14];
  const times = ['11:00', '13:00', '15:00', '17:00'];
  return days.flatMap((day, round) => {
    const order = [0, ...ring.slice(ring.length - round), ...ring.slice(0, ring.length - round)];
    return times.map((time, slot): Fixture => {
      const first = order[slot] ?? 0;
      const second = order[teams - 1 - slot] ?? 0;
      const [a, b] = round % 2 === 0 ? [first, second] : [second, first];
      return { a, b, day, time };
    });
  });
}

export type Line = { readonly points: number; readonly assists: number; readonly rebounds: number; readonly played: boolean };

/** A believable sheet of ten lines: eight play, the first five most; totals near a senior game, with fewer assists than baskets. */
export function sheet(strength: number, next: () => number): readonly Line[] {
  const target = Math.round(58 + strength * 2.4 + next() * 18);
  const weights = Array.from({ length: 10 }, (_, index) => (index < 8 ? (index < 5 ? 3 : 1.2) * (0.35 + next()) : 0));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight, index) =>
    index >= 8
      ? { points: 0, assists: 0, rebounds: 0, played: false }
      : {
          points: Math.round((target * weight) / sum),
          assists: Math.floor(next() * (index < 5 ? 6 : 3)),
          rebounds: index < 5 ? 2 + Math.floor(next() * 10) : Math.floor(next() * 5),
          played: true,
        },
  );
}
