import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FileField } from './file-field.tsx';

it.each([
  ['the hint alone while nothing is chosen', undefined, undefined, 'Max size: 2MB'],
  ['what was chosen', new File(['x'], 'logo.png'), undefined, 'Chosen: logo.png Max size: 2MB'],
  ['what was chosen, after what is wrong with it', new File(['x'], 'logo.png'), 'logo is too large', 'Team logo is too large Chosen: logo.png Max size: 2MB'],
])('is heard with %s', (_, file, error, heard) => {
  render(<FileField name="logo" label="Team logo" icon="picture" accept="image/*" hint="Max size: 2MB" file={file} error={error} onChoose={() => {}} />);
  expect(screen.getByLabelText('Team logo')).toHaveAccessibleDescription(heard);
});

it.each([
  ['is taken', false, ['logo.png']],
  ['is not taken where nothing can be chosen', true, []],
])('a file that is dropped %s, and never opened by the browser', (_, readOnly, names) => {
  const chosen: string[] = [];
  render(
    <FileField
      name="logo"
      label="Team logo"
      icon="picture"
      accept="image/*"
      hint="Max size: 2MB"
      file={undefined}
      readOnly={readOnly}
      onChoose={(file) => chosen.push(file.name)}
    />,
  );
  expect(fireEvent.drop(screen.getByLabelText('Team logo'), { dataTransfer: { files: [new File(['x'], 'logo.png')] } })).toBe(false);
  expect(chosen).toEqual(names);
});
