/**
 * Crests, portraits and posters of the demo season, drawn by code: SVG text in, PNG out elsewhere. No letters, so that no font is needed.
 */
export type Kit = { readonly ground: string; readonly ink: string; readonly trim: string };

const svg = (width: number, height: number, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}">${body}</svg>`;

const shields = {
  roundel: '<circle cx="128" cy="128" r="120"/>',
  shield: '<path d="M128 8 236 48v84c0 60-46 96-108 116C66 228 20 192 20 132V48z"/>',
  hexagon: '<path d="M128 8 236 68v120l-108 60L20 188V68z"/>',
  tile: '<rect x="16" y="16" width="224" height="224" rx="52"/>',
} as const;
export type Shield = keyof typeof shields;

/** Each charge is drawn in `ink` on the shield's ground; `trim` picks out a detail. */
const charges = {
  crown: (kit: Kit) => `<path d="M56 172V88l36 32 36-56 36 56 36-32v84z" fill="${kit.ink}"/><path d="M56 184h144v18H56z" fill="${kit.trim}"/>`,
  claws: (kit: Kit) =>
    `<g fill="none" stroke="${kit.ink}" stroke-width="15" stroke-linecap="round"><path d="M84 60c-14 44-8 92 16 136M122 50c-10 50-4 104 14 152M160 56c-6 46 0 96 10 136M194 76c-2 34 0 66 2 92"/></g>`,
  horn: (kit: Kit) =>
    `<path d="M56 180c0-50 32-84 82-84 16 0 24-24 20-58 34 20 46 54 38 82 12 12 16 34 8 60z" fill="${kit.ink}"/><circle cx="158" cy="132" r="10" fill="${kit.ground}"/>`,
  flame: (kit: Kit) =>
    `<path d="M132 36c12 42 62 62 62 118 0 44-28 72-66 72s-66-28-66-68c0-28 18-42 26-66 12 12 18 22 20 36 16-24 24-52 24-92z" fill="${kit.ink}"/><path d="M132 128c8 20 28 32 28 58 0 22-12 34-30 34s-32-12-32-34c0-24 24-34 34-58z" fill="${kit.ground}"/>`,
  bolt: (kit: Kit) => `<path d="M150 28 70 140h48l-18 88 88-120h-52z" fill="${kit.ink}" stroke="${kit.trim}" stroke-width="6" stroke-linejoin="round"/>`,
  peaks: (kit: Kit) =>
    `<path d="M24 196 96 84l34 48 30-40 72 104z" fill="${kit.ink}"/><path d="m96 84 24 34-14 8-12-10-18 12zM160 92l20 30-14 4-10-8-14 8z" fill="${kit.trim}"/>`,
  cat: (kit: Kit) =>
    `<path d="m52 52 44 30h64l44-30-10 92c-8 40-34 62-66 62s-58-22-66-62z" fill="${kit.ink}"/><path d="m78 116 38 14-8 14c-16 0-28-12-30-28zM178 116l-38 14 8 14c16 0 28-12 30-28zM112 164h32l-16 20z" fill="${kit.ground}"/>`,
  chevrons: (kit: Kit) =>
    `<path d="m48 110 80-56 80 56v34l-80-56-80 56z" fill="${kit.ink}"/><path d="m48 166 80-56 80 56v34l-80-56-80 56z" fill="${kit.trim}"/>`,
} as const;
export type Charge = keyof typeof charges;

export const drawCrest = (shield: Shield, charge: Charge, kit: Kit): string =>
  svg(256, 256, `<g fill="${kit.ground}">${shields[shield]}</g>${charges[charge](kit)}`);

const skins = ['#8A5A3C', '#A06A48', '#B98059', '#C68E66', '#754A30'];
const hairs = ['#100D0B', '#1A1512', '#2A1D16'];
const hairShapes = [
  'M45 76c-6-38 12-54 38-52 22 1 36 18 31 52-3-8-4-14-8-22-8 2-14-6-20-10-8 8-22 10-32 10-4 8-6 14-9 22z',
  'M46 70c-4-34 14-48 36-47 20 1 34 15 32 47-4-12-8-20-14-25-16 5-34 4-44-1-5 6-8 14-10 26z',
  'M47 64c0-26 14-38 33-38s33 12 33 38c-6-12-12-18-20-20-10 3-20 3-28 0-8 3-14 9-18 20z',
];

/** A portrait that differs by `variant`: skin, hair, light. */
export function drawPortrait(kit: Kit, variant: number): string {
  const skin = skins[variant % skins.length] ?? '#B98059';
  const hair = hairs[Math.floor(variant / 3) % hairs.length] ?? '#100D0B';
  const hairShape = hairShapes[Math.floor(variant / 2) % hairShapes.length] ?? '';
  const light = 30 + (variant % 4) * 8;
  const body = `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#3A4553"/><stop offset="1" stop-color="#12161C"/></linearGradient><linearGradient id="s" x1="0" x2="1"><stop offset=".${String(light)}" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".45"/></linearGradient></defs>
<rect width="160" height="200" fill="url(#g)"/><g fill="none" stroke="#F4F1EA" stroke-opacity=".1" stroke-width="1.5"><circle cx="80" cy="90" r="66"/><path d="M0 90h160"/></g>
<path d="M64 106h32v34H64z" fill="${skin}"/><path d="M64 118c8 10 24 10 32 0v10c-8 10-24 10-32 0z" fill-opacity=".22"/>
<path d="M10 200c2-40 22-56 54-66 8 14 24 14 32 0 32 10 52 26 54 66z" fill="${skin}"/><path d="M36 200c2-26 4-46 10-60l16-6c4 16 32 16 36 0l16 6c6 14 8 34 10 60z" fill="${kit.ground}"/>
<path d="M61 134c4 18 34 18 38 0" stroke="${kit.trim}" stroke-width="4" fill="none"/><path d="M46 140c-6 16-8 36-10 60M114 140c6 16 8 36 10 60" stroke="${kit.trim}" stroke-width="3" fill="none"/>
<path d="M50 66c0-24 12-34 30-34s30 10 30 34c0 28-12 52-30 52S50 94 50 66z" fill="${skin}"/><path d="${hairShape}" fill="${hair}"/><rect width="160" height="200" fill="url(#s)"/>`;
  return svg(640, 800, `<g transform="scale(4)">${body}</g>`);
}

/** A poster: half court below, a range of peaks or a rising ball above. */
export function drawPoster(
  scheme: { readonly paper: string; readonly floor: string; readonly line: string; readonly sky: string },
  motif: 'peaks' | 'ball',
): string {
  const motifs = {
    peaks: `<path d="M0 560 190 250l110 150 120-190 180 250 200-170v270z" fill="${scheme.sky}"/><path d="m190 250 60 84-40 14-30-24-44 22zM420 210l74 104-44 12-34-26-50 26z" fill="#F4F1EA"/>`,
    ball: `<circle cx="400" cy="310" r="170" fill="${scheme.sky}"/><g fill="none" stroke="#1B0C02" stroke-width="9"><circle cx="400" cy="310" r="170"/><path d="M230 310h340M400 140v340M282 188c70 70 70 174 0 244M518 188c-70 70-70 174 0 244"/></g>`,
  };
  return svg(
    800,
    1000,
    `<rect width="800" height="1000" fill="${scheme.paper}"/>${motifs[motif]}<path d="M60 1000V860a340 340 0 0 1 680 0v140z" fill="${scheme.floor}"/><g fill="none" stroke="${scheme.line}" stroke-width="7"><path d="M60 1000V860a340 340 0 0 1 680 0v140M270 1000V720h260v280M300 720a100 100 0 0 1 200 0"/><circle cx="400" cy="910" r="18"/><path d="M350 940h100"/></g>`,
  );
}
