import { inTurns, joined } from '../../bench/turns.js';
import { variant } from '../../bench/variant.js';

describe('Measuring in turns', () => {
  it('goes through the variants forwards and backwards by turns, and keeps each with its own costs', async () => {
    const order: string[] = [];
    const [a, b] = [variant('node:http', 'constant'), variant('fastify', 'schema')];
    const courses = await inTurns([{ variant: a }, { variant: b }], 3, (one) => {
      order.push(one.variant.server);
      return Promise.resolve({ time: order.length, cpu: 10 * order.length });
    });
    expect(order).toEqual(['node:http', 'fastify', 'fastify', 'node:http', 'node:http', 'fastify']);
    expect(courses.find((course) => course.variant === a)?.rounds.map(({ time }) => time)).toEqual([1, 4, 5]);
    expect(courses.find((course) => course.variant === b)?.rounds.map(({ cpu }) => cpu)).toEqual([20, 30, 60]);
  });

  it('puts the rounds of a second pass behind those of the first, whatever its order', () => {
    const [a, b] = [variant('node:http', 'constant'), variant('fastify', 'schema')];
    const rounds = (time: number): { time: number; cpu: number }[] => [{ time, cpu: 0 }];
    const passes = [
      [
        { variant: a, rounds: rounds(1) },
        { variant: b, rounds: rounds(2) },
      ],
      [
        { variant: b, rounds: rounds(3) },
        { variant: a, rounds: rounds(4) },
      ],
    ];
    expect(joined(passes).map((course) => course.rounds.map(({ time }) => time))).toEqual([
      [1, 4],
      [2, 3],
    ]);
  });
});
