import { fullTitle, siteDescription, type PageHead } from '@courtledger/contracts/kernel/page-head';
import { htmlText } from './html-text.ts';

const cuts = new WeakMap<Buffer, readonly [string, string]>();
/** The page around the place for its head, without what the build says of it; worked out once, as the page is read once. Undefined where there is no place. */
const cutOf = (page: Buffer): readonly [string, string] | undefined => {
  const known = cuts.get(page);
  if (known !== undefined) return known;
  const html = page
    .toString('utf8')
    .replaceAll(/\s*(?:<title>[^<]*<\/title>|<meta (?:name="description"|property="og:(?:title|description|url|image)")[^>]*>)/g, '');
  const at = html.indexOf('</head>');
  if (at === -1) return undefined;
  const cut = [html.slice(0, at), html.slice(at)] as const;
  cuts.set(page, cut);
  return cut;
};

const meta = (kind: 'name' | 'property', key: string, content: string): string => `<meta ${kind}="${key}" content="${htmlText(content)}" />`;

/**
 * The page with what link previews show of it: they run no script. `origin` is where the site is seen (`https://example.org`), as a picture's address has to be
 * whole.
 */
export const withHead = (page: Buffer, { title, description = siteDescription, image, view }: PageHead, origin: string, path: string): Buffer => {
  const cut = cutOf(page);
  if (cut === undefined) return page;
  const query = new URLSearchParams(view).toString();
  const own = [
    `<title>${htmlText(fullTitle(title))}</title>`,
    meta('name', 'description', description),
    meta('property', 'og:title', fullTitle(title)),
    meta('property', 'og:description', description),
    meta('property', 'og:url', `${origin}${path}${query === '' ? '' : `?${query}`}`),
    ...(image === undefined ? [] : [meta('property', 'og:image', origin + image)]),
  ];
  return Buffer.from(`${cut[0]}${own.join('')}${cut[1]}`);
};
