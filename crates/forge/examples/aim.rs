use clearway_forge::backward::{Request,puzzle}; use clearway_forge::Shape; use clearway_rush::{Side,Solver};
fn main(){ let a:Vec<u32>=std::env::args().skip(1).map(|x|x.parse().unwrap()).collect();
 let shape=Shape::new(a[0] as u8,a[0] as u8,Side::Right,None,0).unwrap(); let mut s=Solver::new();
 let mut l=a[1]; while l<=a[2] { for w in [0,2] { let r=Request::new(l..=l+w); let t=std::time::Instant::now(); let n=40; let mut ok=0; let mut walks=0; let mut ids=std::collections::HashSet::new(); let mut ct=0.0;
  for i in 0..n { let at=puzzle(shape,&r,5,i+1000*l as u64,&mut s,&Default::default()); walks+=at.walks; if let Some(p)=at.puzzle { ok+=1; let t=std::time::Instant::now(); let c=clearway_forge::canonical::canonical(&mut s,&p.board,&Default::default()).unwrap().unwrap(); ct+=t.elapsed().as_secs_f64(); ids.insert(c.id()); } }
  let e=t.elapsed().as_secs_f64(); println!("{l}..+{w}: ok {ok}/{n} distinct {} walks {walks} {:.1} ms/try {:.1}/s canon {:.2} ms", ids.len(), e*1000./n as f64, ok as f64/e, ct*1000./ok.max(1) as f64);} l+=a[3]; } }
