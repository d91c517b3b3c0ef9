/** Whether a text can be an e-mail address: for a word before it is sent. The server's rule is the one that counts. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text.trim());
