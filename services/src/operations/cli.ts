import { keepCompiled } from '../platform/keep-compiled.ts';

keepCompiled();
await import('./command-line.ts');
