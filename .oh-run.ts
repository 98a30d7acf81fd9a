const { measure } = await import('./bench/search.bench.ts');
console.log(JSON.stringify(await measure(process.argv[2] as 'smoke'), null, 1));
