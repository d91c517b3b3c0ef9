import { fullTitle, siteDescription, type PageHead } from '@courtledger/contracts/kernel/page-head';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** The page with what link previews show of it: they run no script. `origin` is where the site is seen (`https://example.org`), as a picture's address has to be whole. */
export const withHead = (page: Buffer, { title, description = siteDescription, image }: PageHead, origin: string, path: string): Buffer => {
  const meta = (kind: 'name' | 'property', key: string, content: string): string => `<meta ${kind}="${key}" content="${escaped(content)}" />`;
  const own = [
    `<title>${escaped(fullTitle(title))}</title>`,
    meta('name', 'description', description),
    meta('property', 'og:title', fullTitle(title)),
    meta('property', 'og:description', description),
    meta('property', 'og:url', origin + path),
    ...(image === undefined ? [] : [meta('property', 'og:image', origin + image)]),
  ];
  const html = page.toString('utf8');
  if (!html.includes('</head>')) return page;
  const rest = html.replaceAll(/\s*<title>[^<]*<\/title>|\s*<meta (?:name="description"|property="og:(?:title|description|url|image)")[^>]*>/g, '');
  return Buffer.from(rest.replace('</head>', () => `${own.join('')}</head>`));
};
