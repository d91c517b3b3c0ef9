const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as it stands in a page of HTML, in an attribute as well. */
export const htmlText = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
