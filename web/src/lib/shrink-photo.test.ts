import { beforeEach, expect, it, vi } from 'vitest';
import { pictureFile } from '../testing/picture-file.ts';
import { documentOrRefusal, photoBesideDocumentOrRefusal, photoOrRefusal, preparePhoto } from './shrink-photo.ts';

const draws = (width = 40, height = 30): void => {
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width, height, close: () => {} }));
};
const bytesOf = async (file: Blob): Promise<readonly number[]> => [...new Uint8Array(await file.arrayBuffer())];

beforeEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each([
  ['a PNG called .jpg', pictureFile('crest.jpg', 'image/png', 'image/jpeg'), 'crest.png', 'image/png'],
  ['a JPEG called .png', pictureFile('face.v2.png', 'image/jpeg', 'image/png'), 'face.v2.jpg', 'image/jpeg'],
  ['a JPEG called .jfif', pictureFile('face.jfif', 'image/jpeg'), 'face.jpg', 'image/jpeg'],
  ['a PNG without an ending', pictureFile('crest', 'image/png'), 'crest.png', 'image/png'],
  ['a PNG of which nothing is said', pictureFile('crest', 'image/png', ''), 'crest.png', 'image/png'],
  ['a JPEG that was downloaded as anything', pictureFile('face.bin', 'image/jpeg', 'application/octet-stream'), 'face.jpg', 'image/jpeg'],
])('%s is sent byte for byte, called what it is', async (_, file, name, type) => {
  draws();
  const prepared = await preparePhoto(file);
  if (prepared.kind !== 'ready') throw new Error(prepared.kind);
  expect([prepared.file.name, prepared.file.type]).toEqual([name, type]);
  expect(await bytesOf(prepared.file)).toEqual(await bytesOf(file));
});

it.each([
  ['a PDF of which nothing is said', new File(['%PDF-1.7'], 'citizenship', { type: '' }), 'citizenship.pdf', 'application/pdf'],
  ['a PDF called .jpg', new File(['%PDF-1.7'], 'citizenship.jpg', { type: 'image/jpeg' }), 'citizenship.pdf', 'application/pdf'],
  [
    'a PDF whose download was broken off once',
    new File(['%PDF-1.7'], 'citizenship.pdf.part', { type: 'application/pdf' }),
    'citizenship.pdf.pdf',
    'application/pdf',
  ],
  ['a scan called .pdf', pictureFile('citizenship.pdf', 'image/jpeg', 'application/pdf'), 'citizenship.jpg', 'image/jpeg'],
])('%s is a document all the same, called what it is', async (_, file, name, type) => {
  draws();
  const ready = await documentOrRefusal(file);
  if (typeof ready === 'string') throw new Error(ready);
  expect([ready.name, ready.type]).toEqual([name, type]);
  expect(await bytesOf(ready)).toEqual(await bytesOf(file));
});

it.each([pictureFile('crest.png'), pictureFile('face.JPEG', 'image/jpeg')])(
  'a file that is called what it is goes as it is, in a copy that outlives it (%#)',
  async (file) => {
    draws();
    const prepared = await preparePhoto(file);
    if (prepared.kind !== 'ready') throw new Error(prepared.kind);
    expect([prepared.file.name, prepared.file.type, prepared.file === file]).toEqual([file.name, file.type, false]);
    expect(await bytesOf(prepared.file)).toEqual(await bytesOf(file));
  },
);

it('a document that is gone before it was read is refused', async () => {
  const file = new File(['%PDF-1.7'], 'citizenship.pdf', { type: 'application/pdf' });
  vi.spyOn(file, 'arrayBuffer').mockRejectedValue(new DOMException('A requested file could not be found.', 'NotFoundError'));
  expect(await documentOrRefusal(file)).toBe('ID document must be a pdf, jpg, jpeg or png');
});

it('a picture of another kind that calls itself a PNG is drawn again, for the server would refuse it', async () => {
  draws();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
    done(new Blob(['drawn'], { type: type ?? '' }));
  });
  const prepared = await preparePhoto(new File(['RIFF....WEBP'], 'crest.png', { type: 'image/png' }));
  if (prepared.kind !== 'ready') throw new Error(prepared.kind);
  expect([prepared.file.name, prepared.file.type, await prepared.file.text()]).toEqual(['crest.png', 'image/png', 'drawn']);
});

it('a photo of more pixels than the server takes is drawn again at its longest edge, though its bytes would fit', async () => {
  draws(8064, 6048);
  const canvas = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
    done(new Blob(['drawn'], { type: type ?? '' }));
  });
  const prepared = await preparePhoto(pictureFile('poster.jpg', 'image/jpeg'), 25_000_000, 2400);
  if (prepared.kind !== 'ready') throw new Error(prepared.kind);
  expect([await prepared.file.text(), (canvas.mock.contexts[0] as HTMLCanvasElement).width]).toEqual(['drawn', 2400]);
});

it('a picture that can only be sent as JPEG gets white where it had nothing: black would hide the letters of a paper', async () => {
  draws();
  const painted: string[] = [];
  const context = {
    globalCompositeOperation: 'source-over',
    fillStyle: '#000',
    drawImage: () => painted.push('picture'),
    fillRect: (...area: readonly number[]) => painted.push(`${context.globalCompositeOperation} ${context.fillStyle} ${area.join(' ')}`),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as unknown as ImageBitmapRenderingContext);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type = '') => {
    painted.push(type);
    done(new Blob([type === 'image/png' ? 'far too large' : 'fits'], { type }));
  });
  const prepared = await preparePhoto(pictureFile('crest.png'), 4);
  expect([prepared.kind, painted]).toEqual(['ready', ['picture', 'image/png', 'destination-over #fff 0 0 40 30', 'image/jpeg']]);
});

it.each([
  ['is drawn again where it is longer than what the server keeps', 5 * 1024 * 1024 + 1, 2401, 'drawn'],
  ['goes as it is where it is no longer', 5 * 1024 * 1024 + 1, 2400, 'as it is'],
  ['goes as it is where it is not heavy', 5 * 1024 * 1024, 2401, 'as it is'],
])('a poster of more bytes than a slow line brings in time %s', async (_, size, width, expected) => {
  draws(width, 1200);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
    done(new Blob(['drawn'], { type: type ?? '' }));
  });
  const poster = new File([new Uint8Array([0xff, 0xd8, 0xff]), new Uint8Array(size - 3)], 'poster.jpg', { type: 'image/jpeg' });
  const prepared = await preparePhoto(poster, 25 * 1024 * 1024, 2400);
  if (prepared.kind !== 'ready') throw new Error(prepared.kind);
  expect(prepared.file.size === size ? 'as it is' : await prepared.file.text()).toBe(expected);
});

it('a poster that is drawn again is sent as JPEG where as PNG it would be heavy still', async () => {
  draws(9000, 6000);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
    done(new Blob([type === 'image/png' ? new Uint8Array(5 * 1024 * 1024 + 1) : 'drawn'], { type: type ?? '' }));
  });
  const prepared = await preparePhoto(pictureFile('poster.png'), 25 * 1024 * 1024, 2400);
  if (prepared.kind !== 'ready') throw new Error(prepared.kind);
  expect([prepared.file.name, prepared.file.type]).toEqual(['poster.jpg', 'image/jpeg']);
});

it.each([
  ['is drawn again beside a document, which has to come in the same time', photoBesideDocumentOrRefusal, 640 * 1024 + 1, 2000, 'drawn'],
  ['goes as it is where the server keeps all of it', photoBesideDocumentOrRefusal, 640 * 1024 + 1, 1024, 'as it is'],
  ['goes as it is where it is not heavy', photoBesideDocumentOrRefusal, 640 * 1024, 2000, 'as it is'],
  ['goes as it is alone', photoOrRefusal, 2 * 1024 * 1024, 2000, 'as it is'],
])('a photo of at most 2 MB %s', async (_, prepare, size, width, expected) => {
  draws(width, 1000);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
    done(new Blob(['drawn'], { type: type ?? '' }));
  });
  const ready = await prepare(new File([new Uint8Array([0xff, 0xd8, 0xff]), new Uint8Array(size - 3)], 'face.jpg', { type: 'image/jpeg' }));
  if (typeof ready === 'string') throw new Error(ready);
  expect(ready.size === size ? 'as it is' : await ready.text()).toBe(expected);
});
