import { fullTitle, siteDescription } from '@courtledger/contracts/kernel/page-head';
import { useEffect } from 'react';

const setMeta = (attribute: 'name' | 'property', key: string, content: string | undefined): void => {
  const found = document.head.querySelector<HTMLMetaElement>(`meta[${attribute}="${key}"]`);
  if (content === undefined) {
    found?.remove();
    return;
  }
  const meta = found ?? document.head.appendChild(document.createElement('meta'));
  meta.setAttribute(attribute, key);
  meta.content = content;
};

type DocumentHeadProps = {
  /** Without the site's name; absent on the landing page while nothing is known. */
  readonly title: string;
  readonly description?: string | undefined;
  /** Root-relative address of a picture for link previews. */
  readonly image?: string | undefined;
  /** Keeps a page out of search engines. */
  readonly hidden?: boolean;
};

/** Title, description and link preview of a page; the last one rendered wins. */
export const DocumentHead = ({ title, description = siteDescription, image, hidden = false }: DocumentHeadProps): null => {
  useEffect(() => {
    const full = fullTitle(title);
    document.title = full;
    setMeta('name', 'description', description);
    setMeta('property', 'og:title', full);
    setMeta('property', 'og:description', description);
    setMeta('property', 'og:url', location.href);
    setMeta('property', 'og:image', image ? new URL(image, location.href).href : undefined);
    setMeta('name', 'robots', hidden ? 'noindex' : undefined);
  }, [title, description, image, hidden]);
  return null;
};
