import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import { PASSWORD_MAX, PASSWORD_MIN } from '@courtledger/contracts/kernel/limits';
import { looksLikeEmail } from '../lib/email.rules.ts';
import type { AdminToSave } from './admin.data.ts';

/** Rules of the admin form (specification section 5): all fields required, a valid e-mail address. */

const named = (text: string, field: string): string => text.replace('{field}', field);

/** What is wrong, in the order of the form. On an edit an empty password keeps the old one. */
export const adminFaults = (admin: AdminToSave, editing: boolean): readonly { readonly field: keyof AdminToSave; readonly message: string }[] => {
  const order = ['username', 'password', 'email', 'phoneNumber'] as const;
  const letters = Array.from(admin.password).length;
  return order.flatMap((field) => {
    if (field === 'password' && editing && admin.password === '') return [];
    if (admin[field].trim() === '') return [{ field, message: named(fieldTexts.required, field) }];
    if (field === 'password' && (letters < PASSWORD_MIN || letters > PASSWORD_MAX)) return [{ field, message: named(fieldTexts.password, field) }];
    return field === 'email' && !looksLikeEmail(admin.email) ? [{ field, message: named(fieldTexts.email, field) }] : [];
  });
};
