import { mandatoryRequestFields } from '@courtledger/contracts/request/request.api';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pictureFile } from '../testing/picture-file.ts';
import { answerWith, currentAddress, goBack, renderSite } from '../testing/render-site.tsx';
import { mandatoryFields } from './request-tournament.rules.ts';

const values = [
  ['Tournament name', 'Terai Night League'],
  ['Contact phone 1', '9851033421'],
  ['Contact phone 2', '9851033422'],
  ['Organizer name', 'Janakpur Youth Sports Club'],
  ['Location', 'Janakpurdham'],
  ['Prize pool', 'NPR 1,50,000 and a trophy'],
] as const;
const fill = async (): Promise<void> => {
  await screen.findByLabelText('Tournament name');
  for (const [label, value] of values) fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
/** Whether the browser would ask before it leaves the page. */
const isAsked = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
const later = async (ms: number): Promise<void> => {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
};

/** The keys under which it was sent, in that order. */
const keysOf = (...sent: readonly ReturnType<typeof answerWith>['sent'][]): readonly (string | null)[] =>
  sent.flat().map(({ headers }) => headers.get('Idempotency-Key'));
/** Sends the request, and waits for its two seconds. */
const press = async (): Promise<void> => {
  vi.useFakeTimers();
  fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
  await later(2000);
  vi.useRealTimers();
};
const choosePoster = (name: string): void => {
  fireEvent.change(screen.getByLabelText('Poster (optional)'), { target: { files: [pictureFile(name)] } });
};
/** Posters are drawn when the test says so. */
const drawLater = (): { readonly draw: () => Promise<void>; readonly fail: () => Promise<void> } => {
  const drawn = Promise.withResolvers<{ readonly close: () => void }>();
  vi.stubGlobal('createImageBitmap', () => drawn.promise);
  const settle = async (end: () => void): Promise<void> => {
    await act(async () => {
      end();
      await Promise.allSettled([drawn.promise]);
    });
  };
  return {
    draw: () =>
      settle(() => {
        drawn.resolve({ close: () => {} });
      }),
    fail: () =>
      settle(() => {
        drawn.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError'));
      }),
  };
};

beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  URL.createObjectURL = () => 'blob:picture';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('knows the mandatory fields of the contract', () => {
  expect(mandatoryFields).toEqual(mandatoryRequestFields);
});

describe('the request form', () => {
  it('has the eight fields of the specification, of which e-mail and poster are optional', async () => {
    answerWith({});
    renderSite('/register');
    expect(await screen.findByLabelText('Prize pool')).toHaveAttribute('type', 'text');
    expect(Array.from(document.querySelectorAll('form input'), (input) => input.getAttribute('name'))).toEqual([
      'tournamentName',
      'contactPhone1',
      'contactPhone2',
      'email',
      'organizerName',
      'location',
      'prizePool',
      'poster',
    ]);
    expect(screen.getByLabelText('Email (optional)')).toBeInTheDocument();
    expect(screen.getByLabelText('Poster (optional)')).toHaveAttribute('accept', 'image/*');
  });

  it('says what cannot be an address or a number under its field, before anything is sent', async () => {
    const { sent } = answerWith({ 'POST /tournaments/requests': { status: 201, body: { _id: 'r1' } } });
    const { user } = renderSite('/register');
    await fill();
    fireEvent.change(screen.getByLabelText('Contact phone 2'), { target: { value: '12' } });
    fireEvent.change(screen.getByLabelText('Email (optional)'), { target: { value: 'nope' } });
    await user.click(screen.getByRole('button', { name: 'Register Tournament' }));
    expect(screen.getByLabelText('Contact phone 2')).toHaveAccessibleDescription(/^Contact phone 2 must be 7 to 20 digits/);
    expect(screen.getByLabelText('Contact phone 2')).toHaveFocus();
    expect(screen.getByLabelText('Email (optional)')).toHaveAccessibleDescription('Email must be a valid e-mail address');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(sent).toEqual([]);
    await fill();
    fireEvent.change(screen.getByLabelText('Email (optional)'), { target: { value: 'club@example.com' } });
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await later(2000);
    expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ contactPhone2: '9851033422', email: 'club@example.com' })]);
  });

  it('takes the figures of a Nepali keyboard for what they mean, in the phone numbers alone', async () => {
    answerWith({});
    const { user } = renderSite('/register');
    await user.type(await screen.findByLabelText('Contact phone 1'), '+९७७ ९८४१०००००१');
    await user.type(screen.getByLabelText('Tournament name'), 'कोशी २०८३');
    expect(screen.getByLabelText('Contact phone 1')).toHaveValue('+977 9841000001');
    expect(screen.getByLabelText('Tournament name')).toHaveValue('कोशी २०८३');
  });

  it('takes what is copied as it can be seen, and cuts nothing off a number', async () => {
    const { sent } = answerWith({ 'POST /tournaments/requests': { status: 201, body: { _id: 'r1' } } });
    const { user } = renderSite('/register');
    await fill();
    const copied = {
      'Tournament name': 'Koshi\u200d Open\t',
      'Contact phone 1': '     +977 9841 023 776',
      'Contact phone 2': '\u202a+977\u00a0984\u20111023776\u202c',
      'Organizer name': '\u2068Ram\u2069',
      Location: 'Dharan\tSunsari',
    };
    for (const [label, text] of Object.entries(copied)) {
      await user.clear(screen.getByLabelText(label));
      await user.click(screen.getByLabelText(label));
      await user.paste(text);
    }
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await later(2000);
    expect(sent.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        tournamentName: 'Koshi\u200d Open ',
        contactPhone1: '     +977 9841 023 776',
        contactPhone2: '+977 984-1023776',
        organizerName: 'Ram',
        location: 'Dharan Sunsari',
      }),
    ]);
  });

  it('lists the missing mandatory fields in order and focuses the first', async () => {
    const { sent } = answerWith({});
    const { user } = renderSite('/register');
    expect(await screen.findByRole('heading', { level: 1, name: 'Register Your Tournament' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Register Tournament' }));
    expect(screen.getByRole('alert')).toHaveTextContent(
      'Please fill in all mandatory fields: tournamentName, contactPhone1, contactPhone2, organizerName, location, prizePool',
    );
    await fill();
    fireEvent.change(screen.getByLabelText('Location'), { target: { value: ' ' } });
    await user.click(screen.getByRole('button', { name: 'Register Tournament' }));
    expect(screen.getByRole('alert')).toHaveTextContent(/^Please fill in all mandatory fields: location$/);
    expect(screen.getByLabelText('Location')).toHaveFocus();
    expect(screen.getByLabelText('Location')).toHaveAccessibleDescription('Location is required');
    expect(sent).toEqual([]);
  });

  it("says 'Submitting...' for two seconds, sends the request, and then the success", async () => {
    const { sent } = answerWith({ 'POST /tournaments/requests': { status: 201, body: { _id: 'r1' } } });
    renderSite('/register');
    await fill();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await later(1900);
    expect(screen.getByRole('button', { name: 'Submitting...' })).toHaveAttribute('aria-disabled', 'true');
    fireEvent.click(screen.getByRole('button', { name: 'Submitting...' }));
    await later(100);
    expect(screen.getByRole('status')).toHaveTextContent('Tournament registration submitted successfully!');
    expect(screen.getByRole('status')).toHaveClass('banner--ok');
    expect(screen.getByRole('button', { name: 'Register Tournament' })).toBeInTheDocument();
    expect(screen.getByLabelText('Tournament name')).toHaveValue('');
    expect(sent.map(({ call, body }) => [call, body])).toEqual([
      [
        'POST /tournaments/requests',
        {
          tournamentName: 'Terai Night League',
          contactPhone1: '9851033421',
          contactPhone2: '9851033422',
          email: '',
          organizerName: 'Janakpur Youth Sports Club',
          location: 'Janakpurdham',
          prizePool: 'NPR 1,50,000 and a trophy',
        },
      ],
    ]);
  });

  it('has the browser ask before the page is left, as long as something is typed and not sent', async () => {
    answerWith({ 'POST /tournaments/requests': { status: 201, body: { _id: 'r1' } } });
    renderSite('/register');
    await screen.findByLabelText('Tournament name');
    const before = isAsked();
    await fill();
    const typed = isAsked();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    const busy = isAsked();
    await later(2000);
    expect([before, typed, busy, isAsked()]).toEqual([false, true, true, false]);
  });

  it('has the browser ask where a poster alone was chosen', async () => {
    answerWith({});
    renderSite('/register');
    await screen.findByLabelText('Tournament name');
    choosePoster('poster.png');
    await screen.findByText('poster.png');
    expect(isAsked()).toBe(true);
  });

  it('has what was typed, and the poster, after another page of the site, until it has arrived', async () => {
    const { sent } = answerWith({ 'POST /tournaments/requests': { status: 201, body: { _id: 'r1' } } });
    const { user } = renderSite('/register');
    await fill();
    choosePoster('poster.png');
    await screen.findByText('poster.png');
    const leaveAndReturn = async (): Promise<void> => {
      await user.click(within(screen.getByRole('navigation', { name: 'Quick links' })).getByRole('link', { name: 'About Us' }));
      expect(currentAddress()).toBe('/about');
      goBack();
      await screen.findByLabelText('Tournament name');
    };
    await leaveAndReturn();
    for (const [label, value] of values) expect(screen.getByLabelText(label)).toHaveValue(value);
    await user.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await leaveAndReturn();
    // It is on its way still: nothing can be changed, or sent a second time.
    expect(screen.getByRole('button', { name: 'Submitting...' })).toHaveAttribute('aria-disabled', 'true');
    expect(await screen.findByText('Tournament registration submitted successfully!')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ tournamentName: 'Terai Night League', poster: 'poster.png' })]);
    await leaveAndReturn();
    expect(screen.getByLabelText('Tournament name')).toHaveValue('');
    expect(screen.queryByText('poster.png')).not.toBeInTheDocument();
  });

  it('tells on another page what became of a request whose own was left', async () => {
    const answered = Promise.withResolvers<unknown>();
    answerWith({ 'POST /tournaments/requests': { status: 503, body: { message: 'Busy' }, after: answered.promise } });
    renderSite('/register');
    await fill();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await later(2000);
    fireEvent.click(within(screen.getByRole('navigation', { name: 'Quick links' })).getByRole('link', { name: 'About Us' }));
    vi.useRealTimers();
    answered.resolve(undefined);
    expect(await screen.findByText('An error occurred. Please try again.')).toBeInTheDocument();
    expect(currentAddress()).toBe('/about');
    goBack();
    expect(await screen.findByLabelText('Tournament name')).toHaveValue('Terai Night League');
    expect(screen.getByRole('button', { name: 'Register Tournament' })).toBeInTheDocument();
  });

  it('says that it failed, keeps what was written, and shows the fault of a field', async () => {
    answerWith({
      'POST /tournaments/requests': {
        status: 400,
        body: { message: 'x', errors: [{ path: 'contactPhone1', message: 'contactPhone1 must be 7 to 20 digits, spaces, + or -' }] },
      },
    });
    renderSite('/register');
    await fill();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await later(2000);
    expect(screen.getByRole('alert')).toHaveTextContent('An error occurred. Please try again.');
    expect(screen.getByRole('alert')).toHaveClass('banner--bad');
    expect(screen.getByLabelText('Tournament name')).toHaveValue('Terai Night League');
    expect(screen.getByLabelText('Contact phone 1')).toHaveAccessibleDescription('Contact phone 1 must be 7 to 20 digits, spaces, + or -');
  });

  it('waits for a poster that is still being made ready, sends it, and empties the form', async () => {
    const { sent } = answerWith({ 'POST /tournaments/requests': { status: 201, body: { _id: 'r1' } } });
    const { draw } = drawLater();
    renderSite('/register');
    await fill();
    choosePoster('poster.png');
    expect(screen.getByText('Making the photo smaller...')).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    expect(screen.getByRole('button', { name: 'Submitting...' })).toBeInTheDocument();
    expect(sent).toEqual([]);
    vi.useFakeTimers();
    await draw();
    await later(2000);
    expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ tournamentName: 'Terai Night League', poster: 'poster.png' })]);
    expect(screen.getByRole('status')).toHaveTextContent('Tournament registration submitted successfully!');
    expect(screen.queryByText('poster.png')).not.toBeInTheDocument();
  });

  it('sends nothing when the poster that it waits for is refused', async () => {
    const { sent } = answerWith({});
    const { fail } = drawLater();
    renderSite('/register');
    await fill();
    choosePoster('poster.png');
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await fail();
    expect(await screen.findByText('File must be an image (jpeg, jpg, png) and less than 25MB')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Register Tournament' })).toBeInTheDocument();
    expect(screen.getByLabelText('Tournament name')).toHaveValue('Terai Night League');
    expect(sent).toEqual([]);
  });

  it('keeps the poster that was chosen last, though the one before it is ready later', async () => {
    answerWith({});
    const { draw } = drawLater();
    renderSite('/register');
    await fill();
    choosePoster('slow.png');
    vi.stubGlobal('createImageBitmap', () => Promise.resolve({ close: () => {} }));
    choosePoster('quick.png');
    await screen.findByText('quick.png');
    await draw();
    expect(screen.getByText('quick.png')).toBeInTheDocument();
  });

  it('sends nothing while the field shows a refusal, and goes without a poster once it is removed', async () => {
    const { sent } = answerWith({ 'POST /tournaments/requests': { status: 201, body: { _id: 'r1' } } });
    const { user } = renderSite('/register');
    const refusal = 'File must be an image (jpeg, jpg, png) and less than 25MB';
    fireEvent.change(await screen.findByLabelText('Poster (optional)'), { target: { files: [new File(['x'], 'poster.pdf', { type: 'application/pdf' })] } });
    await screen.findByText(refusal);
    // What is missing beside it does not make it forgotten.
    await user.click(screen.getByRole('button', { name: 'Register Tournament' }));
    expect(screen.getByLabelText('Tournament name')).toHaveFocus();
    expect(screen.getByText(refusal)).toBeInTheDocument();
    await fill();
    await user.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await waitFor(() => {
      expect(screen.getByLabelText('Poster (optional)')).toHaveFocus();
    });
    expect([screen.getByText(refusal).isConnected, sent]).toEqual([true, []]);
    await user.click(screen.getByRole('button', { name: 'Remove Poster (optional)' }));
    expect(screen.queryByText(refusal)).not.toBeInTheDocument();
    expect(screen.getByLabelText('Poster (optional)')).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Register Tournament' }));
    expect(await screen.findByText('Tournament registration submitted successfully!')).toBeInTheDocument();
    expect(sent.map(({ body }) => Object.keys(body as object).includes('poster'))).toEqual([false]);
  });

  it('takes a poster off that was chosen, also while it is being made ready', async () => {
    answerWith({});
    const { draw } = drawLater();
    const { user } = renderSite('/register');
    await screen.findByLabelText('Poster (optional)');
    expect(screen.queryByRole('button', { name: 'Remove Poster (optional)' })).not.toBeInTheDocument();
    choosePoster('slow.png');
    await draw();
    await screen.findByText('slow.png');
    const next = drawLater();
    choosePoster('next.png');
    await user.click(screen.getByRole('button', { name: 'Remove Poster (optional)' }));
    await next.draw();
    expect([screen.queryByText('slow.png'), screen.queryByText('next.png'), screen.queryByText('Making the photo smaller...')]).toEqual([null, null, null]);
  });

  it('refuses a poster that is no image', async () => {
    answerWith({});
    renderSite('/register');
    fireEvent.change(await screen.findByLabelText('Poster (optional)'), { target: { files: [new File(['x'], 'poster.pdf', { type: 'application/pdf' })] } });
    expect(await screen.findByText('File must be an image (jpeg, jpg, png) and less than 25MB')).toBeInTheDocument();
  });
});

describe('a request whose answer is lost', () => {
  const call = 'POST /tournaments/requests';
  const recorded = { [call]: { status: 201, body: { _id: 'r1' } } };
  const unknown =
    'It is not known whether your request was submitted. Until it is, what you typed cannot be changed. Register Tournament asks again, and nothing is submitted twice. Another poster counts if nothing was submitted before.';
  const lose = async (how: Parameters<typeof answerWith>[0][string] = { lost: true }) => {
    const { sent } = answerWith({ [call]: how });
    renderSite('/register');
    await fill();
    await press();
    return sent;
  };

  it.each([
    ['in the network', { lost: true }],
    ['by half', { file: new Blob(['{'], { type: 'application/json' }) }],
    ['by a server that fails', { status: 503, body: {} }],
  ])('%s stands as it was sent, and is one request however often it is sent', async (_, how) => {
    const first = await lose(how);
    expect(screen.getByRole('alert')).toHaveTextContent(`An error occurred. Please try again.${unknown}`);
    for (const [label] of values) expect(screen.getByLabelText(label)).toHaveAttribute('readonly');
    const again = answerWith(recorded);
    await press();
    expect(screen.getByRole('status')).toHaveTextContent('Tournament registration submitted successfully!');
    expect(keysOf(again.sent)).toEqual(keysOf(first));
    expect(again.sent.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
    await fill();
    await press();
    expect(new Set(keysOf(first, again.sent)).size).toBe(2);
  });

  it('says so on its page after another one, and is still that one', async () => {
    const first = await lose();
    fireEvent.click(within(screen.getByRole('navigation', { name: 'Quick links' })).getByRole('link', { name: 'About Us' }));
    goBack();
    expect(await screen.findByText(unknown)).toBeInTheDocument();
    expect(screen.getByLabelText('Location')).toHaveAttribute('readonly');
    const again = answerWith(recorded);
    await press();
    expect(keysOf(again.sent)).toEqual(keysOf(first));
  });

  it('was recorded where the server has it with another poster', async () => {
    await lose();
    choosePoster('poster.png');
    await screen.findByText('poster.png');
    answerWith({
      [call]: { status: 415, body: { message: 'x', errors: [{ path: 'poster', message: 'File must be an image (jpeg, jpg, png) and less than 25MB' }] } },
    });
    await press();
    expect(screen.getByLabelText('Location')).toHaveAttribute('readonly');
    answerWith({ [call]: { status: 409, body: { message: 'This Idempotency-Key was used with another body' } } });
    await press();
    expect(screen.getByRole('status')).toHaveTextContent('Tournament registration submitted successfully!');
    expect(screen.getByLabelText('Location')).toHaveValue('');
  });

  it('is free again once it is refused, and another one then', async () => {
    const first = await lose();
    const refused = answerWith({ [call]: { status: 400, body: { message: 'x', errors: [{ path: 'location', message: 'location is not valid' }] } } });
    await press();
    expect(screen.queryByText(unknown)).not.toBeInTheDocument();
    fireEvent.change(screen.getByLabelText('Location'), { target: { value: 'Ilam' } });
    const again = answerWith(recorded);
    await press();
    expect([keysOf(first), new Set(keysOf(first, refused.sent, again.sent)).size]).toEqual([keysOf(refused.sent), 2]);
  });

  it('keeps its key where it had waited for its poster', async () => {
    const { sent } = answerWith({ [call]: { lost: true } });
    const { draw } = drawLater();
    renderSite('/register');
    await fill();
    choosePoster('poster.png');
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    vi.useFakeTimers();
    await draw();
    await later(2000);
    vi.useRealTimers();
    await press();
    expect([sent.length, new Set(keysOf(sent)).size]).toEqual([2, 1]);
  });
});
