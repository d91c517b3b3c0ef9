import sharp from 'sharp';
import { drawCrest, drawPortrait, drawPoster } from './drawings.ts';
import { seedTeams } from './season.ts';

export type TeamArt = { readonly crest: Buffer; readonly coach: Buffer; readonly players: readonly Buffer[] };
export type Drawings = {
  readonly teams: readonly TeamArt[];
  readonly posters: { readonly league: Buffer; readonly cup: Buffer };
  readonly organizer: Buffer;
  readonly document: Buffer;
};

/** All pictures of the season as PNG. Must run before the gateway is loaded in the same process: that blocks sharp's SVG loader for good. */
export async function renderDrawings(): Promise<Drawings> {
  const teams: TeamArt[] = [];
  for (const [index, team] of seedTeams.entries()) {
    teams.push({
      crest: await png(drawCrest(team.shield, team.charge, team.kit), 512),
      coach: await png(drawPortrait({ ground: '#222A35', ink: team.kit.ink, trim: team.kit.trim }, index * 7 + 3), 480),
      players: await Promise.all(team.players.map((_, seat) => png(drawPortrait(team.kit, index * 11 + seat), 480))),
    });
  }
  return {
    teams,
    posters: {
      league: await png(drawPoster({ paper: '#173F7A', floor: '#B4470B', line: '#F4F1EA', sky: '#9DB9DA' }, 'peaks')),
      cup: await png(drawPoster({ paper: '#DCD3C0', floor: '#B4470B', line: '#F4F1EA', sky: '#FF7A1F' }, 'ball')),
    },
    organizer: await png(drawCrest('roundel', 'peaks', { ground: '#24446B', ink: '#F4F1EA', trim: '#FF9F5A' }), 512),
    document: await png(drawCrest('tile', 'chevrons', { ground: '#394452', ink: '#F4F1EA', trim: '#B5BECA' }), 256),
  };
}

async function png(svg: string, width?: number): Promise<Buffer> {
  const image = sharp(Buffer.from(svg));
  return (width === undefined ? image : image.resize({ width })).png({ compressionLevel: 6 }).toBuffer();
}
