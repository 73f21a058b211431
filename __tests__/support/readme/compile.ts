import { join } from 'node:path';
import ts from 'typescript';

export interface CompilerError {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  esModuleInterop: true,
  allowJs: true,
  checkJs: true,
  types: ['node'],
  // consumers.long.test.ts checks the declarations themselves.
  skipLibCheck: true,
};

/** Declarations are the same for every page, and reading them takes most of the time. */
const declarations = new Map<string, ts.SourceFile>();

/** Type-checks source files of one folder as strictly as a careful user would, and writes their JavaScript to `out` in it. */
export function compile(folder: string, files: readonly string[]): CompilerError[] {
  const outDir = join(folder, 'out');
  const typeRoots = [join(folder, 'node_modules/@types')];
  const options = { ...OPTIONS, rootDir: folder, outDir, typeRoots };
  const program = ts.createProgram([...files], options, hostFor(options));
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ file, start = 0, messageText }) => ({
    file: file?.fileName ?? '',
    line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));
}

function hostFor(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile: (name, ...more) => {
      const known = declarations.get(name);
      if (known !== undefined) return known;
      const file = host.getSourceFile(name, ...more);
      if (file?.isDeclarationFile === true) declarations.set(name, file);
      return file;
    },
  };
}
