import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactElement } from 'react';
import { expect, it, vi } from 'vitest';
import { phoneDigits } from '../lib/digits.rules.ts';
import { TextField } from './form-field.tsx';

type FormProps = { readonly was: string; readonly inputMode?: 'numeric' | 'tel' };

const Form = ({ was, inputMode }: FormProps): ReactElement => {
  const [text, setText] = useState(was);
  return (
    <>
      <TextField
        name="text"
        label="Text"
        value={text}
        onChange={(typed) => {
          setText(inputMode === 'numeric' ? phoneDigits(typed) : typed);
        }}
        {...(inputMode && { inputMode })}
      />
      <output>{text}</output>
    </>
  );
};

const open = (form: FormProps): HTMLInputElement => {
  render(<Form {...form} />);
  return screen.getByRole('textbox', { name: 'Text' });
};

it.each([
  ['of a copied name', { was: 'Ram Thapa' }, 3, '\u2068 Bahadur\u2069', 'Ram Bahadur Thapa', 11],
  ['of a figure of another keyboard', { was: '01-4412345', inputMode: 'tel' }, 3, '५', '01-54412345', 4],
  ['of what is not taken', { was: '984102', inputMode: 'numeric' }, 3, '-', '984102', 3],
  ['of a figure before others that it pushes out', { was: '9841023776', inputMode: 'numeric' }, 3, '1', '9841102377', 4],
] as const)('keeps the cursor in the middle of a text, behind what was entered there: %s', async (_, form, at, entered, then, place) => {
  const field = open(form);
  await userEvent.click(field);
  field.setSelectionRange(at, at);
  await userEvent.paste(entered);
  expect([field.value, field.selectionStart]).toEqual([then, place]);
});

it.each(['+977 984-1023776', '00977 9841023776', '9779841023776', '9841023776'])('takes the phone %j as it is typed, figure by figure', async (typed) => {
  const field = open({ was: '', inputMode: 'numeric' });
  await userEvent.type(field, typed);
  expect(field).toHaveValue('9841023776');
});

it.each([
  ['\u2068Ram\u2069\tThapa', 'Ram Thapa'],
  ['Ram\u2028Thapa', 'Ram Thapa'],
  ['Ram\u2029Thapa', 'Ram Thapa'],
  ['Ram\u0085Thapa', 'Ram Thapa'],
  ['Ram\u000bThapa\u000c', 'Ram Thapa '],
  ['Ra\u0002m\u0000 Th\u007fapa\u009f', 'Ram Thapa'],
])('takes of %j what can be seen', (copied, seen) => {
  const field = open({ was: '' });
  fireEvent.change(field, { target: { value: copied } });
  expect(field).toHaveValue(seen);
});

it('leaves to a keyboard what it is still composing, and takes it all the same', () => {
  const field = open({ was: '01-', inputMode: 'tel' });
  fireEvent.compositionStart(field);
  for (const text of ['01-९', '01-९८']) {
    fireEvent.input(field, { target: { value: text }, isComposing: true });
    expect(field).toHaveValue(text);
  }
  expect(screen.getByRole('status')).toHaveTextContent('01-98');
  fireEvent.compositionEnd(field);
  expect(field).toHaveValue('01-98');
});

it('takes a password as it is, with what nobody sees', async () => {
  const onChange = vi.fn<(typed: string) => void>();
  render(<TextField name="password" label="Password" type="password" value="" onChange={onChange} />);
  await userEvent.click(screen.getByLabelText('Password'));
  await userEvent.paste('\u202aa\tb\u202c');
  expect(onChange.mock.calls).toEqual([['\u202aa\tb\u202c']]);
});

it('leaves the cursor where it is in another field', () => {
  const field = open({ was: '01-4412345', inputMode: 'tel' });
  const select = vi.spyOn(field, 'setSelectionRange');
  fireEvent.input(field, { target: { value: '०१-4412345' } });
  expect([field.value, select.mock.calls]).toEqual(['01-4412345', []]);
});
