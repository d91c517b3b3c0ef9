import { useEffect } from 'react';

/** What a page is about, for search engines (schema.org, as JSON-LD); it goes with the page. */
export const StructuredData = ({ facts }: { readonly facts: Readonly<Record<string, unknown>> }): null => {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...facts });
  useEffect(() => {
    const script = document.createElement('script');
    script.type = 'application/ld+json';
    script.textContent = text;
    document.head.append(script);
    return () => {
      script.remove();
    };
  }, [text]);
  return null;
};
