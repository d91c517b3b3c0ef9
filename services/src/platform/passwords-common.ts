/**
 * Passwords that everybody tries first. They are words of a list with an ending of a list, walks over the keyboard, and repetitions: kept as parts, since the
 * products (some 40,000) say nothing more. Nepali words, places and clubs are in it because the admins here are Nepali.
 */
const words = new Set(
  `
password passwort passw0rd pass passwd passcode passphrase motdepasse contrasena senha parola secret secrets geheim topsecret mypassword mypass yourpassword newpassword oldpassword thepassword nopassword
admin administrator administrador superadmin superuser root toor sysadmin webadmin adminadmin manager operator owner master user username guest test tester testing testtest demo sample example temp temporary default
login letmein welcome welcomeback changeme changeit change access accessdenied enter entrar open opensesame sesame hello hellohello helloworld goodbye hallo bonjour namaste qwerty qwert qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx
iloveyou iloveu ilove loveyou loveme iloveme lovelove love lovely lover lovers loveu forever always myself nobody someone anything everything nothing whatever whatsup
monkey dragon tiger lion eagle falcon hawk panther jaguar cougar wolf bear horse mustang pony donkey rabbit bunny kitten kitty kitkat cat dog doggy doggie puppy shark dolphin turtle snake spider scorpion phoenix butterfly ladybug penguin elephant
football soccer baseball basketball basket hockey cricket tennis volleyball rugby boxing wrestling golf golfer swimming runner skater skateboard snowboard surfing fishing hunting hunter racing racer player playboy gamer gaming
court courtledger ledger tournament champion champions championship winner winners league team dunk dribble rebound hoops nba lakers bulls celtics warriors knicks rockets raptors spurs suns kings nets pistons pacers magic clippers
jordan jordan23 kobe lebron curry shaq pippen rodman iverson ronaldo messi neymar beckham rooney
arsenal chelsea liverpool manchester united manutd everton tottenham barcelona realmadrid juventus milan bayern benfica cowboys steelers patriots packers eagles giants yankees redsox dodgers
superman batman spiderman ironman wolverine superstar starwars startrek pokemon pikachu naruto goku dragonball matrix hobbit gandalf frodo merlin wizard potter harrypotter hogwarts jedi yoda vader darthvader skywalker minecraft fortnite roblox counter strike halo zelda mario
sunshine sunflower sun moon moonlight star stars starlight rainbow summer winter spring autumn january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
flower flowers rose roses daisy jasmine lily violet lotus orange apple banana cherry strawberry blueberry peach mango lemon coconut pineapple chocolate cookie cookies candy sugar honey cheese pepper ginger coffee pizza burger chicken bacon butter
blue red green yellow purple pink black white silver golden gold diamond crystal ruby emerald sapphire pearl platinum rainbows
angel angels devil heaven jesus jesuschrist christ god godisgood blessed bless faith hope grace peace mercy heavenly church bible krishna shiva ganesh buddha lakshmi saraswati durga hanuman vishnu allah muhammad islam
princess prince king queen lady baby babygirl babyboy girl boy girls boys daddy mommy mother father brother sister family friend friends bestfriend sweet sweetie sweety sweetheart honeybee darling cutie cutiepie beautiful gorgeous pretty sexy sexygirl hottie handsome happy smile smiley funny lucky lucky7 cool coolio awesome amazing perfect fantastic wonderful
michael jennifer jessica ashley amanda michelle nicole daniel david matthew andrew joshua robert william thomas charles james john johnny joseph george richard christopher christian anthony alexander alexandra alexandre alexis benjamin brandon brian jonathan justin kevin nicholas patrick samantha stephanie elizabeth victoria veronica vanessa natalie melissa rebecca rachel sarah sandra barbara patricia margaret catherine katherine caroline charlie charlotte oliver olivia isabella sophie sophia emma emily hannah madison taylor tyler austin dylan hunter logan jackson jasper maggie buster bailey bandit ginger shadow midnight snoopy tigger scooter lucky peanut princess rocky max molly sadie harley
carlos miguel antonio fernando francisco alejandro roberto ricardo eduardo gabriel rafael santiago maria gabriela daniela valentina
suresh ramesh rajesh mahesh dinesh ganesh prakash bikash subash santosh krishna hari gopal bishnu laxmi sita gita rita sunita anita kabita sabina sarita samjhana binod bibek bishal nabin roshan sandesh sujan sagar suman kiran pooja priya anjali puja aarati sushma rohit rahul amit deepak manish ashish anil sunil
nepal nepali nepal1 kathmandu pokhara lalitpur bhaktapur chitwan biratnagar birgunj butwal dharan janakpur lumbini everest himalaya himal sagarmatha gorkha gurkha sherpa annapurna machhapuchhre mustang tribhuvan bagmati koshi gandaki karnali terai india bharat hindustan delhi mumbai london paris newyork america american canada australia california texas florida chicago boston brooklyn hollywood
computer internet google facebook youtube twitter instagram whatsapp microsoft windows linux ubuntu apple samsung nokia sony toshiba compaq lenovo android iphone galaxy server system network database oracle mysql cisco router switch wireless router1 public private office business company service support security secure safety police doctor nurse teacher student school college university soldier warrior
money dollar dollars million millionaire billion cash rich bank banker business freedom liberty justice power powerful energy thunder lightning storm hurricane tornado blizzard fire firebird water ocean river mountain forest garden island beach desert
corvette ferrari porsche mercedes bmw audi toyota honda yamaha suzuki kawasaki ducati harley chevy camaro ford mustang nissan mazda subaru dodge jeep truck trucker biker
metallica nirvana slipknot eminem rihanna beyonce beatles elvis madonna shakira bieber justinbieber onedirection linkinpark greenday blink182 slayer megadeth ironmaiden acdc zeppelin floyd pinkfloyd hendrix marley bobmarley snoop tupac 2pac 50cent guitar drummer piano music musica singer dancer dancing disco techno trance
ninja samurai pirate pirates viking knight warlock demon vampire zombie ghost skull killer killers assassin sniper gunner hacker hackers cracker rebel outlaw gangster gangsta thug mafia godfather scarface rambo terminator predator alien aliens maverick iceman goose topgun bond jamesbond 007bond
internet1 trustno1 trustnoone whoami whoareyou imissyou missyou thankyou thanks please sorry fuckyou fuckoff fucker asshole bitch bullshit biteme suckit dickhead motherfucker
abc abcd abcde abcdef abcdefg abcdefgh abcabc abc123 aaa qqq zzz aabbcc a1b2c3 a1b2c3d4 q1w2e3 q1w2e3r4 q1w2e3r4t5 zaq12wsx zaq1zaq1 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qwe qweasd qweasdzxc qweqwe asdasd asd zxc zxczxc
`
    .trim()
    .split(/\s+/),
);

/** The words that a year makes no better. Others with a year are many, and each is tried late. */
const firstWords = new Set([
  'password',
  'admin',
  'administrator',
  'superadmin',
  'welcome',
  'qwerty',
  'letmein',
  'changeme',
  'login',
  'secret',
  'nepal',
  'courtledger',
  'summer',
  'winter',
  'spring',
  'autumn',
]);
const endings = new Set([
  '',
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  '00',
  '01',
  '02',
  '03',
  '07',
  '10',
  '11',
  '12',
  '13',
  '17',
  '18',
  '19',
  '20',
  '21',
  '22',
  '23',
  '24',
  '25',
  '33',
  '34',
  '42',
  '44',
  '45',
  '55',
  '66',
  '69',
  '77',
  '88',
  '99',
  '000',
  '007',
  '100',
  '101',
  '111',
  '112',
  '121',
  '123',
  '222',
  '234',
  '321',
  '333',
  '365',
  '420',
  '456',
  '555',
  '666',
  '696',
  '777',
  '786',
  '789',
  '888',
  '987',
  '999',
  '1234',
  '12345',
  '123456',
  '1122',
  '4321',
  '1111',
  '0000',
  '!',
  '!!',
  '!!!',
  '?',
  '.',
  '*',
  '#',
  '@',
  '$',
  '_',
  '-',
  '+',
  '1!',
  '1@',
  '12!',
  '123!',
  '123#',
  '123@',
  '123$',
  '123*',
  '123.',
  '1234!',
  '1234@',
  '12345!',
  '!1',
  '!12',
  '!123',
  '@1',
  '@12',
  '@123',
  '@1234',
  '#1',
  '#123',
  '_1',
  '_123',
  '-1',
  '-123',
  '.1',
  '.123',
  '!@#',
  '!@#$',
  'a',
  'b',
  's',
  'x',
  'y',
  'z',
  'abc',
  'me',
  'man',
  'boy',
  'girl',
  'np',
]);
const longestEnding = Math.max(...Array.from(endings, (ending) => ending.length));

/** Lines along which fingers walk. */
const walks = [
  '01234567890123456789',
  '1234567890-=',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
  'zaq12wsxcde34rfvbgt56yhnmju78ik',
  '!@#$%^&*()_+',
  '147258369',
  '159357258456',
  '741852963',
  '789456123',
  '987654321012345678',
  '112233445566778899',
  '1122334455',
  '123321123321',
  '1234554321',
  '12344321',
  'qweasdzxc',
  'qwe123asd456',
  'asd123zxc',
  'qwer1234asdf',
  'qwerasdfzxcv',
  'aaaabbbb',
  'abcd1234efgh',
  'abc123xyz',
  '102030405060',
  '1029384756',
  '0987654321',
  '13579246810',
  '24681012',
  '31415926535',
  '11235813',
  '12121212',
  '12341234',
  '123qweasdzxc',
  '123abc456def',
];
const reversed = (text: string): string => Array.from(text).toReversed().join('');
const allWalks = [...walks, ...walks.map(reversed)];
/** A walk of this many keys is counted as one; with an ending of the list it is no better. */
const shortestWalk = 4;
const isWalk = (text: string): boolean => text.length >= shortestWalk && allWalks.some((walk) => walk.includes(text));

/** One to four characters over and over: `aaaaaaaa`, `12121212`, `abcabcabc`. */
const isRepetition = (text: string): boolean =>
  /^(.{1,4})\1+.{0,3}$/u.test(text) &&
  [1, 2, 3, 4].some(
    (length) =>
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length),
  );

const letters: Readonly<Record<string, string>> = { '@': 'a', 4: 'a', 3: 'e', 0: 'o', $: 's', 5: 's', 7: 't', '!': 'i', 1: 'i' };
/** `p@ssw0rd` is `password`. The figure one is read as i, and as l. */
const readings = (text: string): readonly string[] => {
  const plain = text.replaceAll(/[@4305$7!1]/g, (sign) => letters[sign] ?? sign);
  const withL = text.replaceAll(/[@4305$7!1]/g, (sign) => (sign === '1' ? 'l' : (letters[sign] ?? sign)));
  return [text, plain, withL];
};

const isStem = (stem: string): boolean => isWalk(stem) || readings(stem).some((reading) => words.has(reading) || twoWords(reading));
/** A word twice: `hellohello`. */
const twoWords = (text: string): boolean =>
  text.length % 2 === 0 && text.slice(0, text.length / 2) === text.slice(text.length / 2) && words.has(text.slice(text.length / 2));

/** True when a password is one of those that are tried first. Upper and lower case, full-width forms and letters written as figures make no difference. */
export const isCommonPassword = (password: string): boolean => {
  const text = password.normalize('NFKC').toLowerCase();
  if (isRepetition(text)) return true;
  const withYear = /^(.+?)[@#_.-]?(?:19|20)\d\d[!@#$.]?$/u.exec(text)?.[1];
  if (withYear !== undefined && readings(withYear).some((reading) => firstWords.has(reading))) return true;
  for (let length = 0; length <= Math.min(longestEnding, text.length - 1); length += 1) {
    if (endings.has(text.slice(text.length - length)) && isStem(text.slice(0, text.length - length))) return true;
    // The same before the word: `123password`.
    if (endings.has(text.slice(0, length)) && isStem(text.slice(length))) return true;
  }
  return false;
};

/** Every word with every ending, for tests: at least 3,000 that are long enough to be passwords. */
export const commonPasswords = function* commonPasswords(shortest: number): Generator<string> {
  for (const word of words) for (const ending of endings) if (word.length + ending.length >= shortest) yield word + ending;
  for (const walk of allWalks) if (walk.length >= shortest) yield walk;
};
